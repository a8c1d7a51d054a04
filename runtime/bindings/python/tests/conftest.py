"""Command-line options of the tests."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--mutations", default="2000", help="how many changed pages are put through a batch")
    parser.addoption("--large", action="store_true", help="also what takes some 12 GB of memory, and a minute")
    parser.addoption("--megabytes", default="30", help="how large the WARC files are that engines are given")
