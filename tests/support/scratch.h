#pragma once
// A folder of a test's own that is gone when the test is.

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>

namespace emergence::testing {

class Scratch {
  public:
    Scratch();
    ~Scratch();
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  private:
    std::filesystem::path path_;
};

/// The whole file as text; "" where there is none.
std::string slurp(const std::filesystem::path& path);
/// Puts `text` into a file.
void spit(const std::filesystem::path& path, const std::string& text);
/// How many entries a folder has.
size_t count_entries(const std::filesystem::path& folder);

inline bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }
/// Checks that each part stands in the text.
void check_holds(const std::string& text, std::initializer_list<const char*> parts);

/// The message of the Error that `action` throws; "" where it throws none.
template <class Error, class Action>
std::string message_of(Action&& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace emergence::testing
