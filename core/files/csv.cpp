#include "core/files/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

#include "core/base/check.h"
#include "core/base/error.h"

namespace emergence {
namespace {

constexpr size_t kMaxCsvBytes = size_t{1} << 28;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Splits text into records of fields and removes quotes.
class Scanner {
  public:
    Scanner(std::string_view text, const std::string& source) : text_(text), source_(source) {}

    // Reads the next record; false at the end of the text.
    bool next(std::vector<std::string>& fields) {
        fields.clear();
        if (at_ >= text_.size()) return false;
        line_ = next_line_;
        do fields.push_back(field());
        while (accept(','));
        accept('\r');
        if (at_ < text_.size() && !accept('\n')) fail("after a field comes a comma or the line's end");
        ++next_line_;
        return true;
    }
    size_t line() const { return line_; }
    [[noreturn]] void fail(std::string_view what) const {
        throw InputError(fmt::format("{}:{}: {}", source_, line_, what));
    }

  private:
    bool accept(char c) {
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    std::string field() {
        if (!accept('"')) {
            const size_t end = std::min(text_.find_first_of(",\r\n", at_), text_.size());
            std::string plain(text_.substr(at_, end - at_));
            at_ = end;
            return plain;
        }
        std::string quoted;
        while (at_ < text_.size()) {
            const char c = text_[at_++];
            if (c == '"' && !accept('"')) return quoted;  // a doubled quote stands for one
            if (c == '\n') ++next_line_;
            quoted += c;
        }
        fail("a quoted field does not end");
    }

    std::string_view text_;
    const std::string& source_;
    size_t at_ = 0;
    size_t line_ = 1;  // where the record began
    size_t next_line_ = 1;
};

}  // namespace

std::string csv_field(std::string_view text) {
    const bool plain = text.find_first_of(",\"\r\n") == std::string_view::npos &&
                       (text.empty() || (text.front() != ' ' && text.back() != ' '));
    if (plain) return std::string(text);
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

std::string csv_field(double value) {
    if (std::isnan(value)) return "nan";  // {fmt} would show a sign
    return fmt::format("{}", value);
}

CsvWriter::CsvWriter(const std::filesystem::path& path, const std::vector<std::string>& header)
    : file_(path), columns_(header.size()) {
    check(!header.empty(), "a table has columns");
    for (const std::string& name : header) add(name);
    end_row();
}

void CsvWriter::add_field(const std::string& field) {
    if (fields_++ > 0) line_ += ',';
    line_ += field;
}

void CsvWriter::end_row() {
    check(fields_ == columns_, "a row has as many fields as the header");
    line_ += '\n';
    file_.write(line_);
    line_.clear();
    fields_ = 0;
}

void CsvWriter::commit() {
    check(fields_ == 0, "the last row is ended");
    file_.commit();
}

const std::vector<double>& NumericTable::column(std::string_view name) const {
    std::string names;
    for (size_t i = 0; i < header.size(); ++i) {
        if (header[i] == name) return columns[i];
        names += (names.empty() ? "" : ", ") + header[i];
    }
    throw InputError(fmt::format("{}: no column '{}', there are: {}", source, name, names));
}

std::optional<double> csv_number(std::string_view field) {
    const size_t first = field.find_first_not_of(" \t");
    if (first == std::string_view::npos) return std::numeric_limits<double>::quiet_NaN();
    const std::string_view word = field.substr(first, field.find_last_not_of(" \t") + 1 - first);
    double value = 0.0;
    const auto result = std::from_chars(word.data(), word.data() + word.size(), value);
    if (result.ec != std::errc() || result.ptr != word.data() + word.size()) return std::nullopt;
    return value;
}

TextTable parse_text_csv(std::string_view text, const std::string& source) {
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    Scanner scanner(text, source);
    TextTable table;
    table.source = source;
    if (!scanner.next(table.header)) throw InputError(source + ": is empty, a header is needed");
    std::set<std::string> names;
    for (const std::string& name : table.header)
        if (!names.insert(name).second) scanner.fail(fmt::format("column '{}' is there twice", name));
    std::vector<std::string> fields;
    while (scanner.next(fields)) {
        if (fields.size() == 1 && fields[0].empty() && table.header.size() > 1) continue;  // an empty line
        if (fields.size() != table.header.size())
            scanner.fail(fmt::format("the line has {} fields, but the header has {}", fields.size(),
                                     table.header.size()));
        table.rows.push_back(fields);
        table.lines.push_back(scanner.line());
    }
    return table;
}

NumericTable parse_csv(std::string_view text, const std::string& source) {
    TextTable texts = parse_text_csv(text, source);
    NumericTable table{source, std::move(texts.header), {}};
    table.columns.resize(table.header.size());
    for (size_t i = 0; i < texts.rows.size(); ++i)
        for (size_t c = 0; c < table.header.size(); ++c) {
            const auto value = csv_number(texts.rows[i][c]);
            if (!value)
                throw InputError(fmt::format("{}:{}: column '{}': '{}' is no number", source, texts.lines[i],
                                             table.header[c], texts.rows[i][c]));
            table.columns[c].push_back(*value);
        }
    return table;
}

NumericTable read_csv(const std::filesystem::path& path) {
    return parse_csv(as_text(read_file(path, kMaxCsvBytes)), path.string());
}

}  // namespace emergence
