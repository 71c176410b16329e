#pragma once
// The only reader of text (files, pasted text, text inside other files), and the limits on nesting and on the size of
// any file.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace emergence {

// Limits on other people's files; beyond them a reader refuses with a message. Each limit is checked before memory is
// allocated. The handbook's chapter on files lists them (tests/support/laboratory_tables.cpp).

inline constexpr size_t kMostTomlBytes = size_t{1} << 20, kMostTableBytes = size_t{1} << 26,
                        kMostFigureBytes = size_t{1} << 26, kMostWorldsBytes = size_t{1} << 24, kMostWorlds = 16384,
                        kMostCells = 100'000, kMostSweepLines = 1'000'000, kMostClassAnswers = 10000;
inline constexpr int kDeepestText = 32;

inline constexpr size_t kMostArrayBytes = size_t{1} << 28, kMostWeightBytes = size_t{1} << 26,
                        kMostArchiveFiles = 0xFFFE, kMostDimensions = 32, kMostArrayHeader = size_t{1} << 16,
                        kMostTensorHeader = size_t{1} << 20, kMostStoredSeeds = 100'000,
                        kMostStoredRows = size_t{1} << 21, kMostMomentFile = 5 * (size_t{1} << 25),
                        kMostMomentArrays = size_t{1} << 21;
inline constexpr int64_t kMostStoredStep = int64_t{1} << 53;
inline constexpr int kMostMoments = 4096;

inline constexpr size_t kMostRunBytes = size_t{7} << 27;

/// The text as UTF-8 without a byte-order mark, with \n at the ends of lines. Throws InputError for other encodings,
/// NUL bytes, and more than `limit` bytes. The message names `source` and the line, and says what to do.
std::string plain_text(std::string_view text, const std::string& source, size_t limit = kMostTomlBytes);
/// The same from a file. Throws InputError also if the file cannot be read.
std::string read_text(const std::filesystem::path& path, size_t limit = kMostTomlBytes);

/// True for UTF-16 and UTF-32, which have a mark, or a NUL in every other byte.
bool is_wide_text(std::string_view text);

/// The remedy for 0,5 where a number is needed.
inline constexpr const char* kPointForComma = "Write 0.5, not 0,5";
bool has_decimal_comma(std::string_view text);
/// ". Write 0.5, not 0,5", to end a message about a text with a decimal comma; "" for other texts.
std::string comma_remedy(std::string_view text);

/// What does the work now of a name that this version no longer has, from assets/retired.txt; "" if nothing is known.
/// kind: of the name, "figure"; "pressed" for keys of the window.
std::string said_of_retired(std::string_view kind, std::string_view name);

/// The message for an unknown name: said_of_retired(), or "unknown figure 'wang-9'. Known: wang-1, wang-2. Did you mean
/// 'wang-1'?" with all names if they are few or nothing else lists them, otherwise with the nearest ones and
/// `how_to_list`.
std::string unknown_name(std::string_view kind, std::string_view name, const std::vector<std::string>& names,
                         std::string_view how_to_list = "");

/// "file:7: ", for the line that contains `at`.
std::string place_in(std::string_view text, size_t at, const std::string& source);

/// The mistakes in a file, for readers that report all of them at once.
struct FileFault {
    uint32_t line = 0;  // 0 if the mistake is in no single line
    std::string reason;
    bool operator==(const FileFault&) const = default;
};
/// "my_lesson.toml:12: until: …"
std::string fault_text(const std::string& source, const FileFault& fault);

/// Throws InputError, naming `source` and the line, if brackets of TOML or JSON nest deeper than kDeepestText levels,
/// or if a dotted key has more parts.
void check_nesting(std::string_view text, const std::string& source);

}  // namespace emergence
