//! The suites as one program, so that the machines are linked once, and long tests of different suites run in parallel.
//! Suites that need a process of their own are separate targets.

mod absent;
mod cli;
mod conformance;
mod differential;
mod documents;
mod edit;
mod encodings;
mod errors;
mod figures;
mod generated;
mod html_limits;
mod html_pages;
mod html_trees;
mod interfaces;
mod limit_edges;
mod limits;
mod linear;
mod microxml;
mod positions;
mod readers;
mod robustness;
mod scripts;
mod sinks;
mod slow;
mod steps;
mod trees;
mod url;
mod webvtt;
mod workshop;
mod written_text;
mod xml_er;
mod xml_output;
