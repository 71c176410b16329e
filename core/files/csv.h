#pragma once
// Reads comma-separated tables (RFC 4180), and formats the fields of tables that are written.

#include <cstdint>
#include <optional>

#include "core/files/atomic_write.h"

namespace emergence {

/// `text` as one field: quoted if it holds a comma, a quote, a line break, or a space at either end.
std::string csv_field(std::string_view text);
/// The shortest text that reads back as the same double; nan, inf or -inf if it is not finite (pandas, NumPy and R
/// read these words).
std::string csv_field(double value);

/// A table of numbers with a header.
struct NumericTable {
    std::string source;
    std::vector<std::string> header;
    std::vector<std::vector<double>> columns;

    size_t rows() const { return columns.empty() ? 0 : columns.front().size(); }
    /// Throws InputError, listing the names, if the column does not exist.
    const std::vector<double>& column(std::string_view name) const;
};

/// Reads a table line by line. The constructor reads the header; all functions throw InputError, naming `source` and
/// the line.
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
    size_t line_ = 1, next_line_ = 1;  // where the record began, and where the next one begins
};

/// A field as a number, NaN if it is empty; nullopt if it holds other text.
std::optional<double> csv_number(std::string_view field);

/// Reads a table of numbers; an empty field is NaN. Throws InputError, naming file and line, for anything else.
NumericTable read_csv(const std::filesystem::path& path);
NumericTable parse_csv(std::string_view text, const std::string& source);

}  // namespace emergence
