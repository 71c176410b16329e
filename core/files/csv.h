#pragma once
// Comma-separated tables (RFC 4180), read and written.

#include <cstdint>
#include <optional>

#include "core/files/atomic_write.h"

namespace emergence {

/// `text` as one field: quoted if it holds a comma, a quote, a line break, or a space at either end.
std::string csv_field(std::string_view text);
/// The shortest text that reads back as the same double; nan, inf or -inf if it is not finite (pandas, NumPy and R
/// read these words).
std::string csv_field(double value);

/// Writes a table row by row; commit() makes the whole file appear. Lines end with \n: every reader accepts it, and
/// text tools prefer it to RFC 4180's \r\n. All functions throw IoError, naming the file.
class CsvWriter {
  public:
    CsvWriter(const std::filesystem::path& path, const std::vector<std::string>& header);

    void add(int64_t value) { add_field(std::to_string(value)); }
    void add(uint64_t value) { add_field(std::to_string(value)); }
    void add(double value) { add_field(csv_field(value)); }
    void add(std::string_view text) { add_field(csv_field(text)); }
    /// Ends the row, which must have as many fields as the header.
    void end_row();
    void commit();

  private:
    void add_field(const std::string& field);

    AtomicFile file_;
    std::string line_;
    size_t columns_;
    size_t fields_ = 0;
};

/// A table of numbers with a header.
struct NumericTable {
    /// For messages.
    std::string source;
    std::vector<std::string> header;
    std::vector<std::vector<double>> columns;

    size_t rows() const { return columns.empty() ? 0 : columns.front().size(); }
    /// Throws InputError, listing the names, if the column does not exist.
    const std::vector<double>& column(std::string_view name) const;
};

/// Reads a table line by line. The constructor reads the header; all functions throw InputError, naming `source` and the
/// line.
class CsvReader {
  public:
    CsvReader(std::string_view text, const std::string& source);

    const std::vector<std::string>& header() const { return header_; }
    /// The fields of the next line, as many as the header has, without quotes; false after the last line.
    bool next(std::vector<std::string>& fields);
    [[noreturn]] void fail(std::string_view what) const;

  private:
    void refuse_other_separators(const std::vector<std::string>& fields) const;
    bool record(std::vector<std::string>& fields);
    std::string field();
    bool accept(char c);

    std::string text_;
    std::string source_;
    std::vector<std::string> header_;
    size_t at_ = 0;
    /// Where the record began, and where the next one begins.
    size_t line_ = 1, next_line_ = 1;
};

/// A field as a number, NaN if it is empty; nullopt if it holds other text.
std::optional<double> csv_number(std::string_view field);

/// Reads a table of numbers; an empty field is NaN. Throws InputError, naming file and line, for anything else.
NumericTable read_csv(const std::filesystem::path& path);
NumericTable parse_csv(std::string_view text, const std::string& source);

}  // namespace emergence
