//! Values of controls with limits (HTML, 2.3.4 "Numbers" and 2.3.5 "Dates and times"), converted to numbers that
//! compare in the same order.

use crate::lists::LISTS;

/// The format of a control's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueFormat {
    Number,
    /// A number whose limits have defaults.
    Slider,
    Date,
    Month,
    Week,
    Time,
    DateTime,
}

/// The value formats of the input types in `LISTS.limited_types`, in the order of that list.
const FORMATS: [ValueFormat; 7] = [
    ValueFormat::Number,
    ValueFormat::Slider,
    ValueFormat::Date,
    ValueFormat::Month,
    ValueFormat::Week,
    ValueFormat::Time,
    ValueFormat::DateTime,
];

impl ValueFormat {
    /// Returns the value format of an input type; `None` if values of the type have no limits.
    pub(crate) fn of(state: &str) -> Option<Self> {
        let index = LISTS.limited_types.iter().position(|known| *known == state)?;
        FORMATS.get(index).copied()
    }

    /// Parses a value; `None` if it is not valid.
    pub(crate) fn parse(self, text: &str) -> Option<f64> {
        match self {
            Self::Number | Self::Slider => number(text),
            Self::Date => date(text),
            Self::Month => {
                let (year, month) = text.rsplit_once('-')?;
                Some(self::year(year)? * 12.0 + digits(month, 1.0..=12.0)?)
            }
            Self::Week => {
                let (year, week) = text.rsplit_once("-W")?;
                let year = self::year(year)?;
                Some(year * 54.0 + digits(week, 1.0..=last_week(year))?)
            }
            Self::Time => time(text),
            Self::DateTime => {
                let (day, hours) = text.split_once(['T', ' '])?;
                Some(date(day)? * 86_400.0 + time(hours)?)
            }
        }
    }
}

/// Whether a value lies within its limits; `true` if it is not valid, `None` if there are no limits.
pub(crate) fn is_in_range(
    format: ValueFormat,
    value: Option<&str>,
    min: Option<&str>,
    max: Option<&str>,
) -> Option<bool> {
    if format == ValueFormat::Slider {
        // Browsers clamp the value of a slider to its limits, so it is always in range.
        return Some(true);
    }
    let parse = |text: Option<&str>| format.parse(text?);
    let (min, max) = (parse(min), parse(max));
    if min.is_none() && max.is_none() {
        return None;
    }
    let Some(value) = parse(value) else { return Some(true) };
    let (is_below, is_above) =
        (min.is_some_and(|min| value < min), max.is_some_and(|max| value > max));
    let is_reversed =
        format == ValueFormat::Time && min.zip(max).is_some_and(|(min, max)| max < min);
    Some(if is_reversed { !(is_below && is_above) } else { !(is_below || is_above) })
}

/// Parses a floating-point number; `None` if HTML does not consider it valid.
fn number(text: &str) -> Option<f64> {
    let is_part =
        |byte: u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E');
    let is_valid = text.bytes().all(is_part)
        && !text.starts_with('+')
        && !text.contains(".e")
        && !text.contains(".E")
        && text.ends_with(|last: char| last.is_ascii_digit());
    is_valid.then(|| text.parse().ok()).flatten().filter(|number: &f64| number.is_finite())
}

/// Parses a number of two digits; `None` if it is invalid or outside the range.
fn digits(text: &str, range: std::ops::RangeInclusive<f64>) -> Option<f64> {
    let is_number = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten().filter(|number| range.contains(number))
}

fn year(text: &str) -> Option<f64> {
    let is_number = text.len() >= 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten().filter(|year| *year > 0.0)
}

/// Returns the number of weeks in a year: 53 if it begins or ends on a Thursday (2.3.5.8 "Weeks").
fn last_week(year: f64) -> f64 {
    let weekday_of_last_day = |year: f64| {
        (year + (year / 4.0).floor() - (year / 100.0).floor() + (year / 400.0).floor()) % 7.0
    };
    if weekday_of_last_day(year) == 4.0 || weekday_of_last_day(year - 1.0) == 3.0 {
        53.0
    } else {
        52.0
    }
}

/// Parses a date to a number of days that orders dates, counting 31 days for each month; `None` if it is invalid.
fn date(text: &str) -> Option<f64> {
    let (year_and_month, day) = text.rsplit_once('-')?;
    let (year, month) = year_and_month.rsplit_once('-')?;
    let (year, month) = (self::year(year)?, digits(month, 1.0..=12.0)?);
    let is_leap = year % 4.0 == 0.0 && (year % 100.0 != 0.0 || year % 400.0 == 0.0);
    let last_day = match month as u8 {
        2 if is_leap => 29.0,
        2 => 28.0,
        4 | 6 | 9 | 11 => 30.0,
        _ => 31.0,
    };
    Some((year * 12.0 + month) * 31.0 + digits(day, 1.0..=last_day)?)
}

/// Parses a time of day to seconds since midnight; `None` if it is invalid.
fn time(text: &str) -> Option<f64> {
    let (hours, after_hours) = text.split_once(':')?;
    let (minutes, seconds) = after_hours.split_once(':').unwrap_or((after_hours, "00"));
    let (whole_seconds, fraction) = seconds.split_once('.').unwrap_or((seconds, "0"));
    let is_fraction =
        (1..=3).contains(&fraction.len()) && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let fraction = is_fraction.then(|| format!("0.{fraction}").parse::<f64>().ok()).flatten()?;
    let (hours, minutes) = (digits(hours, 0.0..=23.0)?, digits(minutes, 0.0..=59.0)?);
    Some(hours * 3600.0 + minutes * 60.0 + digits(whole_seconds, 0.0..=59.0)? + fraction)
}
