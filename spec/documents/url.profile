dialect: url
title: URL Standard (2 July 2026)
file: url-2026-07-02.bs
form: html
// The algorithm has no heading of its own.
heading: 5490da24 basic URL parser
from: basic URL parser
to: URL serializing
// What the document does in steps on texts, the table does in states of its own.
granted: state credentials { }
granted: state host-result { }
granted: state port-result { }
granted: state file-host-result { }
granted: state first-segment { }
granted: state protocol-setter { }
granted: state host-setter { }
granted: state hostname-setter { }
granted: state port-setter { }
granted: state pathname-setter { }
granted: state search-setter { }
granted: state hash-setter { }
granted: state username-assignment { }
granted: state password-assignment { }
granted: state host-parser { }
granted: state opaque-host-parser { }
granted: state url-serializer { }
granted: state origin { }
granted: token url { scheme, username, password, host, port, path, opaque-path, query, fragment }
granted: token base by host { scheme, username, password, host, port, path, opaque-path, query, fragment }
granted: token given by host { value }
granted: token serialization { href, host, search, hash }
granted: token origin { value }
granted: token host { value, strict }
granted: token number { value, part, out-of-range }
granted: token address { value, tail, piece }
granted: token opaque { invalid-unit, invalid-percent-sign }
granted: token segment { value }
granted: flag at-sign-seen = false | true;
granted: flag inside-brackets = false | true;
granted: flag password-token-seen = false | true;
granted: flag compress = no | yes;
granted: flag state-override = absent | given;
granted: flag hostname-override = no | yes;
granted: counter piece-index to 8 => error ipv6-too-many-pieces;
granted: counter numbers-seen to 4 => error ipv4-too-many-parts;
granted: class question-mark-or-number-sign = '?' | '#';
granted: condition drive-mark-ahead = ahead drive-mark and not ahead drive-mark-and-more;
granted: condition base-is-ftp = temporary-buffer is "ftp" and base-scheme is "ftp";
granted: condition base-is-http = temporary-buffer is "http" and base-scheme is "http";
granted: condition base-is-https = temporary-buffer is "https" and base-scheme is "https";
granted: condition base-is-ws = temporary-buffer is "ws" and base-scheme is "ws";
granted: condition base-is-wss = temporary-buffer is "wss" and base-scheme is "wss";
granted: condition base-has-this-scheme = base-is-ftp or base-is-http or base-is-https or base-is-ws or base-is-wss;
granted: condition special = url-scheme matches special-scheme;
granted: class c0-control = '\0'..='\x1F';
granted: class c0-control-or-space = c0-control | ' ';
granted: class tab-or-newline = '\t' | '\n' | '\r';
granted: class digit = '0'..='9';
granted: class letter = 'A'..='Z' | 'a'..='z';
granted: class plain-code-point = digit | letter | '!' | '$' | '&' | '\'' | '(' | ')' | '*' | '+' | ',' | '-' | '.' | ';' | '=' | '_' | '~' | '\u{A0}'..='\u{D7FF}' | '\u{E000}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}' | '\u{10000}'..='\u{1FFFD}' | '\u{20000}'..='\u{2FFFD}' | '\u{30000}'..='\u{3FFFD}' | '\u{40000}'..='\u{4FFFD}' | '\u{50000}'..='\u{5FFFD}' | '\u{60000}'..='\u{6FFFD}' | '\u{70000}'..='\u{7FFFD}' | '\u{80000}'..='\u{8FFFD}' | '\u{90000}'..='\u{9FFFD}' | '\u{A0000}'..='\u{AFFFD}' | '\u{B0000}'..='\u{BFFFD}' | '\u{C0000}'..='\u{CFFFD}' | '\u{D0000}'..='\u{DFFFD}' | '\u{E0000}'..='\u{EFFFD}' | '\u{F0000}'..='\u{FFFFD}' | '\u{100000}'..='\u{10FFFD}';
granted: class url-code-point = plain-code-point | '/' | ':' | '?' | '@';
// Introductions, variables that the table does not have, and steps that others here stand for.
remarks: 5490da24 159def29 6ab5299f 4c4e6b2f 9d3e8ffd 118834a2 f28f8002 6292ec80 6e76eb6a 0499137f 578cc04c 2af81ae2
remarks: cb357284 bbb1d55a 67fd15e7 6fdc71d7 97a1b5b7 0174eb75 7813837b db6fb6f4 3d796243 fe7fc516 11ee6504 a221317c
remarks: 85cd0000 00745604 77a14220 422ea25f dd3c25ce e2ba3a78 3f45baf8 608821ce 5b76f980 b53d0cba cc15bd57
// The start of the algorithm, and its loop.
gloss: e40ef040 = declare input trimmed c0-control-or-space => error invalid-url-unit;
gloss: 0e10f24b = declare input removed tab-or-newline => error invalid-url-unit;
gloss: a43a1e00 = start scheme-start
gloss: 48f2de4d = enters authority { set temporary-buffer ""; remember-place; }
gloss: 3ec4d524 = at-end { switch url-serializer; reconsume; }
// The record and the buffer are created in the first state.
gloss: c83d570b = if current 'A'..='Z' | 'a'..='z' { when not state-override is given { create url; } set temporary-buffer ""; append lower to temporary-buffer; switch scheme; }
gloss: 5bc47a70 = otherwise if not state-override is given { create url; set temporary-buffer ""; switch no-scheme; reconsume; }
// The beginning and the state of the scheme.
gloss: 61e9ec7a = if temporary-buffer is "file" { stop; }
gloss: f0204404 = if url-scheme is "file" and url-host is "" { stop; }
gloss: 755da271 = if port-is-default { unset url-port; }
gloss: b129f51d = if not ahead two-slashes { error special-scheme-missing-following-solidus; }
gloss: 0f264991 = otherwise if temporary-buffer matches special-scheme and base-has-this-scheme { }
gloss: 889775e8 = otherwise if followed-by solidus { switch path-or-authority; }
gloss: 4d403d9b = otherwise { set url-opaque-path ""; switch opaque-path; }
gloss: cde87ac9 = otherwise if not state-override is given { set temporary-buffer ""; go-back; switch no-scheme; }
gloss: 99cf500b = if missing base-scheme or not missing base-opaque-path and missing base-scheme or not current '#' { error missing-scheme-non-relative-url; stop; }
gloss: 88ba5611 = otherwise if not missing base-opaque-path and current '#' { append base-scheme to url-scheme; append base-opaque-path to url-opaque-path; append base-query to url-query; set url-fragment ""; switch fragment; }
// The path.
gloss: dc47ae6e = when not url-scheme is "file" { cut url-path from-last '/'; } otherwise { when not url-path matches path-of-drive { cut url-path from-last '/'; } }
gloss: 218b72e4 = if not current 'A'..='Z' | 'a'..='z' or not drive-mark-ahead { when not base-path matches path-of-drive { cut url-path from-last '/'; } }
gloss: 6a8a3fa4 = unset url-path;
gloss: be77a305 = otherwise if base-scheme is "file" { }
gloss: 93eed3a4 = if base-scheme is "file" { }
gloss: d4b8b914 = if not current 'A'..='Z' | 'a'..='z' or not drive-mark-ahead and base-path matches path-in-drive { append base-path to url-path; run first-segment on url-path; }
gloss: 78ea696f = otherwise if state-override is given and missing url-host { append '/' to url-path; }
gloss: 6ddc669e = if not current '/' and not special or not current '\\' { append '/' to url-path; }
gloss: ab1fccd4 = otherwise if temporary-buffer matches single-dot-url-path-segment and not current '/' and not special or not current '\\' { append '/' to url-path; }
gloss: 5205cc3f = if url-scheme is "file" and url-path is "" and temporary-buffer matches windows-drive-letter { replace-first "|" in temporary-buffer by ":"; }
gloss: 9ea9d182 = append '/' to url-path; append temporary-buffer to url-path;
// Text that the document percent-encodes character by character is encoded once it is complete.
gloss: 436a3830 = append current to temporary-buffer;
gloss: 78637321 = append current to url-opaque-path;
gloss: 5aa147b5 = if followed-by question-mark-or-number-sign { append "%20" to url-opaque-path; }
gloss: a64787c4 = otherwise { append current to url-opaque-path; }
gloss: 0d57c283 = if current '?' { escape c0-control-encode-set in url-opaque-path by '%'; set url-query ""; switch query; }
gloss: b61d83d5 = otherwise if current '#' { escape c0-control-encode-set in url-opaque-path by '%'; set url-fragment ""; switch fragment; }
gloss: 8ee86d46 = append current to url-fragment;
gloss: 63b3f77d = otherwise if not current EOF { }
// The authority.
gloss: 971607c8 = if at-sign-seen is true { when password-token-seen is true { append "%40" to url-password; } otherwise { append "%40" to url-username; } }
gloss: 4bcacc9f = go-back; switch credentials;
gloss: b2f3b710 = escape userinfo-encode-set in url-username by '%'; escape userinfo-encode-set in url-password by '%'; set temporary-buffer ""; go-back; switch host;
// The host is read by another entry of the machine, and its failure recognized in a state after it.
gloss: f1eb83af = if state-override is given { stop; }
gloss: 3ccb4098 = set url-host ""; append temporary-buffer to url-host; when special { run host-parser on url-host; } otherwise { run opaque-host-parser on url-host; } set temporary-buffer ""; set return-state port; switch host-result;
gloss: 9dc31e0c = set url-host ""; append temporary-buffer to url-host; when special { run host-parser on url-host; } otherwise { run opaque-host-parser on url-host; } set temporary-buffer ""; set return-state path-start; switch host-result;
gloss: 322ce950 = otherwise if state-override is given and temporary-buffer is "" { stop; }
gloss: 88023d63 = set url-host ""; append temporary-buffer to url-host; run host-parser on url-host; set temporary-buffer ""; switch file-host-result;
// The port.
// The query, always in UTF-8, is collected in its field.
gloss: 019afd4e = append current to url-query;
gloss: c30fe978 = when special { escape special-query-encode-set in url-query by '%'; } otherwise { escape query-encode-set in url-query by '%'; }
gloss: b54526cc = if current '%' and not ahead two-hex-digits { error invalid-url-unit; }
// The end of the algorithm, and the algorithms of setters.
// A condition after an assignment tests what was assigned.
gloss: 39e17195 = if temporary-buffer is "file" { }
gloss: f2c60150 = otherwise if temporary-buffer matches special-scheme { switch special-authority-slashes; }
gloss: 526cb1a1 = otherwise if base-scheme matches special-scheme and current '\\' { error invalid-reverse-solidus; switch relative-slash; }
gloss: cb8e4003 = cut url-path from-last '/';
gloss: 8111b758 = if current '0'..='9' { append current to temporary-buffer; add-digit 10; }
gloss: 36a1d18b = switch port-result; reconsume;
gloss: 4f819b58 = otherwise if current ' ' { }
