#pragma once
// Parses TOML with toml++, and turns its errors into InputErrors, or into faults that are reported together. Only
// sources that read a kind of TOML file include this header.

#include <toml++/toml.h>

#include "core/files/text.h"
#include "core/settings/fields.h"
static_assert(TOML_HEADER_ONLY == 0, "a second parser would be compiled here: link tomlplusplus::tomlplusplus");

namespace emergence {

/// Parses `text`, read by plain_text() and nested at most kDeepestText levels. Throws InputError, naming `source`, line
/// and column, if it is not TOML, or if a number in it is `nan`, which no person means. may_be_nan: for files that
/// programs write.
toml::table parse_toml(std::string_view text, const std::string& source, bool may_be_nan = false);
/// The same from a file. Throws InputError also if it cannot be read or has more than `limit` bytes.
toml::table read_toml(const std::filesystem::path& path, size_t limit = kMostTomlBytes);

/// parse_toml(), whose error becomes a fault.
std::optional<toml::table> parse_toml(std::string_view text, const std::string& source, std::vector<FileFault>& faults);

/// A flag, a number or a text; nullopt for anything else.
std::optional<FieldValue> scalar_in(const toml::node& node);
/// A list of nothing but texts; nullopt for anything else.
std::optional<std::vector<std::string>> texts_in(const toml::node& node);

class TomlReader {
  protected:
    explicit TomlReader(std::vector<FileFault>& faults) : faults_(faults) {}

    void fault(uint32_t line, std::string reason) { faults_.push_back({line, std::move(reason)}); }
    static uint32_t line_of(const toml::node& node) { return node.source().begin.line; }

    /// Adds a fault for each unknown key. of: what the keys belong to, "a lesson".
    void check_keys(const toml::table& table, const std::vector<std::string>& known, const char* of);
    /// Whether the table has the key.
    bool text(const toml::table& table, const char* key, std::string& into);
    void flag(const toml::table& table, const char* key, bool& into);
    std::vector<std::string> texts(const toml::table& table, const char* key);
    /// The same, with a fault for an empty list.
    std::vector<std::string> some_texts(const toml::table& table, const char* key);
    /// Two numbers, the lower one first; `otherwise`, with a fault, for anything else.
    std::pair<double, double> ends(const toml::table& table, const char* key, std::pair<double, double> otherwise);
    void number(const toml::table& table, const char* key, double& into);

  private:
    /// Whether the table has the key; `what` is needed there.
    template <class T>
    bool read(const toml::table& table, const char* key, T& into, const char* what);

    std::vector<FileFault>& faults_;
};

}  // namespace emergence
