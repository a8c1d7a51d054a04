//! The responses, resources and conversions of a WARC file as record batches, with FastWARC as the reader. A damaged
//! part becomes a row with an error, and reading continues at the next gzip member, or in an uncompressed file at the
//! next record. At most one batch is held in memory.

use crate::decode::decode;
use crate::message::Message;
use crate::rows::{Row, Rows};
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::error::ArrowError;
use fastwarc::warc::iter::ArchiveIteratorThreadSafe as Archive;
use fastwarc::warc::record::{SharedWarcRecord as _, WarcRecord, WarcRecordType};
use flate2::bufread::GzDecoder;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom};
use std::path::Path;

/// Limits on the sizes of batches and payloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeLimits {
    /// Maximum number of rows per batch.
    pub batch_rows: usize,
    /// Total length of payloads in bytes at which a batch ends.
    pub batch_bytes: usize,
    /// Maximum length of a payload in bytes; a longer one becomes a row with an error.
    pub payload: u64,
}

impl Default for SizeLimits {
    /// Returns limits of 1,024 rows and 64 MiB per batch, and 64 MiB per payload.
    fn default() -> Self {
        Self { batch_rows: 1024, batch_bytes: 64 << 20, payload: 64 << 20 }
    }
}

/// The bytes with which a gzip member begins.
const MEMBER_START: &[u8] = b"\x1F\x8B\x08";

/// The bytes with which a WARC record begins.
const RECORD_START: &[u8] = b"WARC/1.";

/// Maximum length of the head of a record or HTTP message in bytes.
const MAX_HEAD_LEN: u64 = 1 << 16;

/// Number of bytes read at a time.
const READ_LEN: usize = 1 << 20;

/// An iterator over the responses, resources and conversions of a WARC file, as record batches with the columns of
/// [`ReadWarc`](crate::ReadWarc).
pub struct Responses {
    file: File,
    sizes: SizeLimits,
    is_compressed: bool,
    /// The offset in the file at which to start reading next; `None` at the end.
    start: Option<u64>,
    archive: Option<Archive>,
    /// The offset in the file of the last record that `archive` has read; `None` if it has read none.
    last_record: Option<u64>,
    /// Whether the last row reports damage that the archive will report again.
    is_damaged: bool,
    /// The row for damage after the last record; used if another record follows.
    damage_row: Option<Row>,
    ready_rows: VecDeque<Row>,
}

impl std::fmt::Debug for Responses {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Responses").field("file", &self.file).finish_non_exhaustive()
    }
}

impl Responses {
    /// Opens a file, uncompressed or compressed by member.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened or its start cannot be read; not because of its contents.
    pub fn open(path: &Path, sizes: SizeLimits) -> io::Result<Self> {
        let mut file = File::open(path)?;
        Ok(Self {
            is_compressed: is_compressed(&mut file)?,
            file,
            sizes,
            start: Some(0),
            archive: None,
            last_record: None,
            is_damaged: false,
            damage_row: None,
            ready_rows: VecDeque::new(),
        })
    }

    /// Returns the next row, or `None` at the end.
    fn next_row(&mut self) -> io::Result<Option<Row>> {
        loop {
            if let Some(row) = self.ready_rows.pop_front() {
                return Ok(Some(row));
            }
            let Some(mut archive) = self.archive.take() else {
                let Some(start) = self.start.take() else { return Ok(None) };
                self.file.seek(SeekFrom::Start(start))?;
                let source = BufReader::with_capacity(READ_LEN, self.file.try_clone()?);
                self.archive = Some(Archive::new(source).with_parse_http(false));
                (self.last_record, self.is_damaged) = (None, false);
                // If no record can be read from here, `start` is the offset of the damage.
                self.start = Some(start);
                continue;
            };
            match archive.next() {
                None => self.start = None,
                Some(Ok(record)) => {
                    if !record.with_mut(|record| self.queue(record))? {
                        self.archive = Some(archive);
                    }
                }
                Some(Err(error)) => self.resume_after_damage(&error)?,
            }
        }
    }

    /// Queues the row of a record that holds a document. Returns whether to continue at `start` rather than at the
    /// position of the archive.
    fn queue(&mut self, record: &mut WarcRecord) -> io::Result<bool> {
        self.ready_rows.extend(self.damage_row.take());
        let offset = record.stream_pos();
        (self.last_record, self.is_damaged) = (Some(offset), false);
        if !matches!(
            record.record_type(),
            WarcRecordType::Response | WarcRecordType::Resource | WarcRecordType::Conversion
        ) {
            return Ok(false);
        }
        let mut row = Row { offset, ..Row::default() };
        let member_file = self.is_compressed.then_some(&mut self.file);
        let progress = fill_row(record, &mut row, self.sizes.payload, member_file)?;
        self.ready_rows.push_back(row);
        self.is_damaged = progress.is_damaged;
        if let Some(next_offset) = progress.next_offset {
            self.start = Some(next_offset);
        }
        Ok(progress.next_offset.is_some())
    }

    /// Sets `start` to the next record after a damaged part, and adds a row for the damage unless the last row reports
    /// it.
    fn resume_after_damage(&mut self, error: &io::Error) -> io::Result<()> {
        let offset = self.last_record.or(self.start).unwrap_or_default();
        let error = Some(format!("damaged: {error}"));
        let row = Row { offset, error, ..Row::default() };
        self.start = find_next(&mut self.file, offset + 1, self.is_compressed)?;
        if self.last_record.is_none() || self.start.is_none() && !self.is_damaged {
            self.damage_row = None;
            self.ready_rows.push_back(row);
        } else if !self.is_damaged {
            self.damage_row = Some(row);
        }
        Ok(())
    }

    fn next_batch(&mut self) -> io::Result<Rows> {
        let mut rows = Rows::default();
        while rows.count < self.sizes.batch_rows && rows.bytes < self.sizes.batch_bytes {
            let Some(row) = self.next_row()? else { break };
            rows.push(&row);
        }
        Ok(rows)
    }
}

impl Iterator for Responses {
    type Item = Result<RecordBatch, ArrowError>;

    /// Returns the next batch; errors are those of the file system or of Arrow.
    fn next(&mut self) -> Option<Self::Item> {
        match self.next_batch() {
            Ok(rows) => (rows.count > 0).then(|| rows.finish()),
            Err(error) => {
                (self.start, self.archive) = (None, None);
                Some(Err(error.into()))
            }
        }
    }
}

/// The offset at which to continue after a record, and whether its damage has been reported.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    /// Whether the row reports damage that the archive will report again.
    is_damaged: bool,
    /// The offset at which to continue, if the archive has read past the record.
    next_offset: Option<u64>,
}

/// Fills the row of a record. `member_file` is the file if each of its records is a gzip member.
fn fill_row(
    record: &mut WarcRecord,
    row: &mut Row,
    max_len: u64,
    member_file: Option<&mut File>,
) -> io::Result<Progress> {
    let mut progress = Progress::default();
    let header = |name: &str| record.headers().get(name).map(|value| value.into_owned());
    row.url = header("WARC-Target-URI").map(|url| url.trim_matches(['<', '>']).to_owned());
    row.content_type = header("Content-Type");
    let date = record.record_date().map(|date| date.unix_timestamp_nanos() / 1000);
    row.date = date.and_then(|date| i64::try_from(date).ok());
    let (length, is_http) = (record.content_length(), record.is_http());
    let mut read = |raw: &mut Vec<u8>, max_len: u64| match record.reader_mut() {
        Some(reader) => reader.take(max_len).read_to_end(raw).err(),
        None => None,
    };
    let mut raw = Vec::new();
    if let Some(error) = read(&mut raw, length.min(MAX_HEAD_LEN)) {
        row.error = Some(format!("damaged: {error}"));
        return Ok(Progress { is_damaged: true, ..progress });
    }
    let message = if is_http { Message::parse(&raw) } else { Message::default() };
    if is_http {
        row.status = message.status;
        row.content_type = message.values("content-type").next().map(str::to_owned);
    }
    let body_start = if is_http { message.body_start } else { Some(0) };
    let payload_length = length.saturating_sub(body_start.unwrap_or(raw.len()) as u64);
    if payload_length > max_len {
        row.error = Some(format!(
            "the payload has {payload_length} bytes, more than the maximum of {max_len}"
        ));
        if let Some(file) = member_file {
            // The length may be wrong. The archive would then skip the records after this one, so reading continues at
            // the next gzip member.
            progress.next_offset = read_member(file, row.offset, 0)?.1;
        }
        return Ok(progress);
    }
    let remaining = length - raw.len() as u64;
    if let Some(error) = read(&mut raw, remaining) {
        row.error = Some(format!("damaged: {error}"));
        return Ok(Progress { is_damaged: true, ..progress });
    }
    if let Some(file) = member_file
        && raw.windows(RECORD_START.len()).any(|window| window == RECORD_START)
    {
        let (content, end) = read_member(file, row.offset, MAX_HEAD_LEN + raw.len() as u64)?;
        let head_end = content
            .windows(4)
            .position(|window| window == b"\r\n\r\n")
            .map_or(0, |index| index + 4);
        let member_body = &content[head_end..];
        if end.is_some() && member_body.len() < raw.len() {
            raw = member_body.to_owned();
            progress.next_offset = end;
        }
    }
    let is_cut = (raw.len() as u64) < length;
    progress.is_damaged = is_cut && progress.next_offset.is_none();
    let Some(body_start) = body_start.filter(|body_start| *body_start <= raw.len()) else {
        row.error = Some("damaged headers: no empty line ends them".to_owned());
        return Ok(progress);
    };
    raw.drain(..body_start);
    if is_cut {
        let count = raw.len();
        row.error =
            Some(format!("damaged: the payload has only {count} of {payload_length} bytes"));
    }
    // Each header may occur several times. The codings are in the order in which they were applied: content codings
    // before transfer codings.
    let codings = ["content-encoding", "transfer-encoding"].into_iter();
    let codings: Vec<&str> = codings.flat_map(|name| message.values(name)).collect();
    let (payload, damage) = decode(raw, &codings.join(","), max_len);
    if payload.len() as u64 > max_len {
        row.error =
            Some(format!("the decoded payload has more than the maximum of {max_len} bytes"));
        return Ok(progress);
    }
    let damage = damage.map(|damage| format!("damaged: {damage}"));
    row.error = row.error.take().or(damage);
    row.payload = Some(payload);
    Ok(progress)
}

/// Returns the first `max_len` bytes of the member at an offset, and the offset of the next member, which is `None` if
/// the first one is damaged or incomplete.
fn read_member(file: &mut File, offset: u64, max_len: u64) -> io::Result<(Vec<u8>, Option<u64>)> {
    let position = file.stream_position()?;
    file.seek(SeekFrom::Start(offset))?;
    let mut decoder = GzDecoder::new(BufReader::with_capacity(READ_LEN, &mut *file));
    let mut content = Vec::new();
    let result = decoder.by_ref().take(max_len).read_to_end(&mut content);
    let result = result.and_then(|_| io::copy(&mut decoder, &mut io::sink()));
    let unread_len = decoder.into_inner().buffer().len() as u64;
    let end = result.is_ok().then_some(file.stream_position()? - unread_len);
    file.seek(SeekFrom::Start(position))?;
    Ok((content, end))
}

/// Whether the file consists of gzip members. If its start is damaged, the first member or record in it decides.
fn is_compressed(file: &mut File) -> io::Result<bool> {
    let mut beginning = Vec::new();
    file.by_ref().take(READ_LEN as u64).read_to_end(&mut beginning)?;
    if beginning.starts_with(MEMBER_START) || beginning.starts_with(RECORD_START) {
        return Ok(beginning.starts_with(MEMBER_START));
    }
    let find = |magic: &[u8]| beginning.windows(magic.len()).position(|window| window == magic);
    Ok(find(MEMBER_START)
        .is_some_and(|member| find(RECORD_START).is_none_or(|record| member < record)))
}

/// Returns the first offset at or after `start` at which a member, or a record at the start of a line, may begin, or
/// `None` if there is none.
fn find_next(file: &mut File, start: u64, is_compressed: bool) -> io::Result<Option<u64>> {
    let magic = if is_compressed { MEMBER_START } else { RECORD_START };
    // The search starts one byte earlier, because the preceding byte shows whether a record begins a line.
    let mut buffer_start = start.saturating_sub(1);
    file.seek(SeekFrom::Start(buffer_start))?;
    let mut buffer = Vec::new();
    loop {
        if file.by_ref().take(READ_LEN as u64).read_to_end(&mut buffer)? == 0 {
            return Ok(None);
        }
        let begins_line = |index: &usize| is_compressed || *index > 0 && buffer[index - 1] == b'\n';
        let matches =
            buffer.windows(magic.len()).enumerate().filter(|(_, window)| *window == magic);
        let mut matches = matches.map(|(index, _)| index).filter(begins_line);
        if let Some(index) = matches.find(|index| buffer_start + *index as u64 >= start) {
            return Ok(Some(buffer_start + index as u64));
        }
        // The end of the buffer is kept, because it may contain an incomplete magic number and the byte before it.
        let overlap = magic.len().min(buffer.len());
        buffer_start += (buffer.len() - overlap) as u64;
        buffer.drain(..buffer.len() - overlap);
    }
}
