//! The responses of a WARC file, as record batches. Records are read by FastWARC; nothing is parsed here. Invariant: a file is read to
//! its end whatever is in it. What cannot be read is a row with an error, and reading goes on at the next member of the archive, or,
//! where it is not compressed, at the next record. No more is held than a batch.

use crate::decode::decoded;
use crate::rows::{Row, Rows};
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::error::ArrowError;
use fastwarc::warc::iter::ArchiveIteratorThreadSafe as Archive;
use fastwarc::warc::record::{SharedWarcRecord as _, WarcRecord, WarcRecordType};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::Path;

/// How large batches and payloads may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// How many rows a batch has at most.
    pub batch_rows: usize,
    /// After how many bytes of payloads a batch ends.
    pub batch_bytes: usize,
    /// How many bytes a payload may have; one with more is a row with an error.
    pub payload: u64,
}

impl Default for Sizes {
    /// 1,024 rows, 64 MiB, 64 MiB.
    fn default() -> Self {
        Self { batch_rows: 1024, batch_bytes: 64 << 20, payload: 64 << 20 }
    }
}

/// How a gzip member begins.
const MEMBER: &[u8] = b"\x1F\x8B\x08";

/// How a record begins.
const RECORD: &[u8] = b"WARC/1.";

/// How much is read at once.
const PIECE: usize = 1 << 20;

/// The responses of a WARC file, as record batches with the columns that [`ReadWarc`](crate::ReadWarc) names.
pub struct Responses {
    file: File,
    sizes: Sizes,
    is_compressed: bool,
    /// Where reading goes on, if it is not going on.
    start: Option<u64>,
    archive: Option<Archive>,
    /// Where the last record was, of those read since the last start.
    seen: Option<u64>,
    /// The last record is a row that tells of damage to the file, which the archive then meets as well.
    is_damaged: bool,
    /// What could not be read between two records that could.
    between: Option<Row>,
    ready: VecDeque<Row>,
}

impl std::fmt::Debug for Responses {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Responses").field("file", &self.file).finish_non_exhaustive()
    }
}

impl Responses {
    /// Opens a file, compressed by members or not compressed.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened or its beginning cannot be read; never because of what is in it.
    pub fn open(path: &Path, sizes: Sizes) -> io::Result<Self> {
        let mut file = File::open(path)?;
        Ok(Self {
            is_compressed: is_compressed(&mut file)?,
            file,
            sizes,
            start: Some(0),
            archive: None,
            seen: None,
            is_damaged: false,
            between: None,
            ready: VecDeque::new(),
        })
    }

    /// The next row; none at the end.
    fn row(&mut self) -> io::Result<Option<Row>> {
        loop {
            if let Some(row) = self.ready.pop_front() {
                return Ok(Some(row));
            }
            let Some(mut archive) = self.archive.take() else {
                let Some(start) = self.start.take() else { return Ok(None) };
                self.file.seek(SeekFrom::Start(start))?;
                let source = BufReader::with_capacity(PIECE, self.file.try_clone()?);
                self.archive = Some(Archive::new(source).with_parse_http(false));
                (self.seen, self.is_damaged) = (None, false);
                // Where it is that something is damaged, if not a single record is read.
                self.start = Some(start);
                continue;
            };
            match archive.next() {
                None => self.start = None,
                Some(Ok(record)) => {
                    record.with_mut(|record| self.take(record));
                    self.archive = Some(archive);
                }
                Some(Err(error)) => self.go_on(&error)?,
            }
        }
    }

    /// Takes what a record says, if it is a response.
    fn take(&mut self, record: &mut WarcRecord) {
        self.ready.extend(self.between.take());
        let offset = record.stream_pos();
        (self.seen, self.is_damaged) = (Some(offset), false);
        if record.record_type() == WarcRecordType::Response {
            let mut row = Row { offset, ..Row::default() };
            self.is_damaged = response(record, &mut row, self.sizes.payload);
            self.ready.push_back(row);
        }
    }

    /// Looks for the next record after what cannot be read.
    fn go_on(&mut self, error: &io::Error) -> io::Result<()> {
        let offset = self.seen.or(self.start).unwrap_or_default();
        let error = Some(format!("damaged: {error}"));
        let row = Row { offset, error, ..Row::default() };
        self.start = next(&mut self.file, offset + 1, self.is_compressed)?;
        if self.seen.is_none() || self.start.is_none() && !self.is_damaged {
            self.between = None;
            self.ready.push_back(row);
        } else if !self.is_damaged {
            self.between = Some(row);
        }
        Ok(())
    }

    fn batch(&mut self) -> io::Result<Rows> {
        let mut rows = Rows::default();
        while rows.count < self.sizes.batch_rows && rows.bytes < self.sizes.batch_bytes {
            let Some(row) = self.row()? else { break };
            rows.push(&row);
        }
        Ok(rows)
    }
}

impl Iterator for Responses {
    type Item = Result<RecordBatch, ArrowError>;

    /// The next batch; an error is one of the file system, or of Arrow's.
    fn next(&mut self) -> Option<Self::Item> {
        match self.batch() {
            Ok(rows) => (rows.count > 0).then(|| rows.finish()),
            Err(error) => {
                (self.start, self.archive) = (None, None);
                Some(Err(error.into()))
            }
        }
    }
}

/// Fills the row of a response: whether it tells of damage to the file.
fn response(record: &mut WarcRecord, row: &mut Row, most: u64) -> bool {
    let url = record.headers().get("WARC-Target-URI");
    row.url = url.map(|url| url.trim_matches(['<', '>']).to_owned());
    let date = record.record_date().map(|date| date.unix_timestamp_nanos() / 1000);
    row.date = date.and_then(|date| i64::try_from(date).ok());
    if let Err(error) = record.parse_http() {
        row.error = Some(format!("damaged headers: {error}"));
        return true;
    }
    let headers = record.http_headers();
    let all = |name: &str| headers.map_or_else(Vec::new, |headers| headers.get_multiple(name));
    row.status = headers.and_then(|headers| headers.status_code());
    row.content_type = all("Content-Type").into_iter().next().map(std::borrow::Cow::into_owned);
    // In the order in which they were put on, whether in one header or in several of a name.
    let codings = [all("Content-Encoding"), all("Transfer-Encoding")].concat().join(",");
    let length = record.content_length();
    if length > most {
        row.error = Some(format!("the payload has {length} bytes, more than {most}"));
        return false;
    }
    let mut raw = Vec::new();
    if let Some(reader) = record.reader_mut()
        && let Err(error) = reader.take(length).read_to_end(&mut raw)
    {
        row.error = Some(format!("damaged: {error}"));
        return true;
    }
    let is_cut = (raw.len() as u64) < length;
    if is_cut {
        row.error = Some(format!("damaged: the payload has {} bytes of {length}", raw.len()));
    }
    let (payload, damage) = decoded(raw, &codings, most);
    if payload.len() as u64 > most {
        row.error = Some(format!("the payload has more than {most} bytes when decoded"));
        return is_cut;
    }
    let damage = damage.map(|damage| format!("damaged: {damage}"));
    row.error = row.error.take().or(damage);
    row.payload = Some(payload);
    is_cut
}

/// Whether the file is one of members: of what is damaged at its beginning, what comes first in it.
fn is_compressed(file: &mut File) -> io::Result<bool> {
    let mut beginning = Vec::new();
    file.by_ref().take(PIECE as u64).read_to_end(&mut beginning)?;
    if beginning.starts_with(MEMBER) || beginning.starts_with(RECORD) {
        return Ok(beginning.starts_with(MEMBER));
    }
    let at = |mark: &[u8]| beginning.windows(mark.len()).position(|it| it == mark);
    Ok(at(MEMBER).is_some_and(|member| at(RECORD).is_none_or(|record| member < record)))
}

/// Where after the beginning of the file the next member, or the next record that begins a line, may be; none at the end.
fn next(file: &mut File, start: u64, is_compressed: bool) -> io::Result<Option<u64>> {
    let mark = if is_compressed { MEMBER } else { RECORD };
    // What is before the first piece is read as well: a record begins after a line's end.
    let mut at = start.saturating_sub(1);
    file.seek(SeekFrom::Start(at))?;
    let mut held = Vec::new();
    loop {
        if file.by_ref().take(PIECE as u64).read_to_end(&mut held)? == 0 {
            return Ok(None);
        }
        let begins = |index: &usize| is_compressed || *index > 0 && held[index - 1] == b'\n';
        let found = held.windows(mark.len()).enumerate().filter(|(_, it)| *it == mark);
        let mut found = found.map(|(index, _)| index).filter(begins);
        if let Some(index) = found.find(|index| at + *index as u64 >= start) {
            return Ok(Some(at + index as u64));
        }
        // As much as a mark that is cut may have, and what is before it.
        let keep = mark.len().min(held.len());
        at += (held.len() - keep) as u64;
        held.drain(..held.len() - keep);
    }
}
