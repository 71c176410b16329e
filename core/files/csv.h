#pragma once
// Comma-separated tables (RFC 4180), read and written.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

/// A table of texts with a header.
struct TextTable {
    /// For messages.
    std::string source;
    std::vector<std::string> header;
    /// Each as long as the header, without quotes.
    std::vector<std::vector<std::string>> rows;
    /// The line of each row in the file, from 1.
    std::vector<size_t> lines;
};

/// Reads any table. Throws InputError, naming `source` and the line.
TextTable parse_text_csv(std::string_view text, const std::string& source);
/// A field as a number, NaN if it is empty; nullopt if it holds other text.
std::optional<double> csv_number(std::string_view field);

/// Reads a table of numbers; an empty field is NaN. Throws InputError, naming file and line, for anything else.
NumericTable read_csv(const std::filesystem::path& path);
NumericTable parse_csv(std::string_view text, const std::string& source);

}  // namespace emergence
