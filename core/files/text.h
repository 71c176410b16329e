#pragma once
// The one reader of text: files, what is pasted, what other files hold; and how deep a text nests.

#include <filesystem>
#include <string>
#include <vector>

#include "core/files/limits.h"

namespace emergence {

/// UTF-8 without a byte-order mark, with \n at the ends of lines. Throws InputError, naming
/// `source` and the line, for other encodings, NUL bytes, and more than `limit` bytes, with what to do.
std::string plain_text(std::string_view text, const std::string& source, size_t limit = kMostTomlBytes);
/// The same from a file. Throws InputError also if the file cannot be read.
std::string read_text(const std::filesystem::path& path, size_t limit = kMostTomlBytes);

/// Whether it is UTF-16 or UTF-32: by its mark, or by a NUL in every other byte.
bool is_wide_text(std::string_view text);

/// The remedy for 0,5 where a number is needed.
inline constexpr const char* kPointForComma = "Write 0.5, not 0,5";
bool has_decimal_comma(std::string_view text);

/// "file:7: " of the line in which `at` stands.
std::string place_in(std::string_view text, size_t at, const std::string& source);

/// What is wrong in a file, for readers that tell all of it at once.
struct FileFault {
    /// 0 if it has none.
    uint32_t line = 0;
    std::string reason;
    bool operator==(const FileFault&) const = default;
};
/// "my_lesson.toml:12: until: …"
std::string fault_text(const std::string& source, const FileFault& fault);

/// Counts levels: brackets that are open, and in each what deepens its present item.
class Nesting {
  public:
    void open() { levels_.push_back(0); }
    /// What stood in the bracket lies below what follows it in the same item.
    void close() {
        if (levels_.size() == 1) return;
        const int inside = levels_.back();
        levels_.pop_back();
        levels_.back() += inside;
    }
    /// The present item lies one level deeper: a part of a dotted key, an operation.
    void deepen() { ++levels_.back(); }
    /// The next item in the same bracket begins; outside of brackets `kept` levels stay.
    void next_item(int kept = 0) { levels_.back() = levels_.size() == 1 ? kept : 0; }
    bool in_brackets() const { return levels_.size() > 1; }
    bool too_deep() const;

  private:
    std::vector<int> levels_ = {0};
};

/// Throws InputError, naming `source` and the line, if TOML or JSON nests deeper than kDeepestText levels.
void check_nesting(std::string_view text, const std::string& source);

}  // namespace emergence
