#include "core/files/csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/files/text.h"

namespace emergence {

// Spreadsheets write empty columns behind the last one.
static void drop_empty_end(std::vector<std::string>& fields, size_t least) {
    while (fields.size() > least && fields.back().empty()) fields.pop_back();
}

std::string csv_field(std::string_view text) {
    if (!is_utf8(text)) return csv_field(shown_text(text));
    const bool plain = text.find_first_of(",\"\r\n") == std::string_view::npos &&
                       (text.empty() || (text.front() != ' ' && text.back() != ' '));
    if (plain) return std::string(text);
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

std::string csv_field(double value) {
    if (std::isnan(value)) return "nan";    // {fmt} would show a sign
    return fmt::format("{}", value + 0.0);  // 0 instead of -0
}

const std::vector<double>& NumericTable::column(std::string_view name) const {
    const auto found = std::find(header.begin(), header.end(), name);
    if (found != header.end()) return columns[found - header.begin()];
    throw InputError("{}: no column '{}'. Columns: {}{}", source, name, fmt::join(header, ", "),
                     did_you_mean(name, header));
}

std::optional<double> csv_number(std::string_view field) {
    field = trimmed(field, " \t");
    if (field.empty()) return std::numeric_limits<double>::quiet_NaN();
    if (field.size() > 1 && field[0] == '+' && field[1] != '-' && field[1] != '+') field.remove_prefix(1);
    return parsed<double>(field);
}

CsvReader::CsvReader(std::string_view text, const std::string& source)
    : text_(plain_text(text, source, kMostTableBytes)), source_(source) {
    if (text_.starts_with("sep=,\n")) record(header_);  // a hint for spreadsheets
    if (!record(header_)) throw InputError(source + ": is empty, but needs a header");
    drop_empty_end(header_, 1);
    refuse_other_separators(header_);
    for (std::string& name : header_) name = std::string(trimmed(name, " "));
    std::set<std::string> names;
    for (const std::string& name : header_)
        if (!names.insert(name).second) fail(fmt::format("column '{}' occurs twice", name));
}

void CsvReader::refuse_other_separators(const std::vector<std::string>& fields) const {
    const size_t at = fields.size() == 1 ? fields.front().find_first_of(";\t|") : std::string::npos;
    if (at == std::string::npos) return;
    const char found = fields.front()[at];
    fail(fmt::format("fields are separated by {}. Save the table with ',' between fields and '.' in numbers",
                     found == '\t' ? "tabs" : fmt::format("'{}'", found)));
}

bool CsvReader::next(std::vector<std::string>& fields) {
    while (record(fields)) {
        const bool has_commas = fields.size() > 1;
        drop_empty_end(fields, header_.size());
        const bool empty = std::all_of(fields.begin(), fields.end(), [](const auto& one) { return one.empty(); });
        if (empty && (has_commas || header_.size() > 1)) continue;
        if (fields.size() == header_.size() && fields.size() > 1) return true;
        refuse_other_separators(fields);
        if (fields.size() == header_.size()) return true;
        const bool more = fields.size() > header_.size();
        fail(fmt::format("the line has {} fields, but the header has {}{}", fields.size(), header_.size(),
                         more ? comma_remedy(fmt::format("{}", fmt::join(fields, ","))) : ""));
    }
    return false;
}

// Splits off the next record; false at the end of the text.
bool CsvReader::record(std::vector<std::string>& fields) {
    fields.clear();
    if (at_ >= text_.size()) return false;
    line_ = next_line_;
    do fields.push_back(field());
    while (accept(','));
    if (at_ < text_.size() && !accept('\n')) fail("only a comma or the end of the line may follow a field");
    ++next_line_;
    return true;
}

std::string CsvReader::field() {
    if (!accept('"')) {
        const size_t end = std::min(text_.find_first_of(",\n", at_), text_.size());
        std::string plain = text_.substr(at_, end - at_);
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

bool CsvReader::accept(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
}

void CsvReader::fail(std::string_view what) const { throw InputError("{}:{}: {}", source_, line_, what); }

NumericTable parse_csv(std::string_view text, const std::string& source) {
    CsvReader reader(text, source);
    NumericTable table{source, reader.header(), {}};
    table.columns.resize(table.header.size());
    std::vector<std::string> fields;
    while (reader.next(fields))
        for (size_t c = 0; c < fields.size(); ++c) {
            const auto value = csv_number(fields[c]);
            if (!value)
                reader.fail(fmt::format("column '{}': '{}' is not a number{}", table.header[c], fields[c],
                                        comma_remedy(fields[c])));
            table.columns[c].push_back(*value);
        }
    return table;
}

NumericTable read_csv(const std::filesystem::path& path) {
    return parse_csv(as_text(read_file(path, kMostTableBytes)), path.string());
}

}  // namespace emergence
