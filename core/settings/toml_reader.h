#pragma once
// The base of readers of TOML files that tell all faults of a file, each with its line.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/settings/file_fault.h"
#include "core/settings/toml_parse.h"

namespace emergence {

/// parse_toml(), whose error becomes a fault.
std::optional<toml::table> parse_toml(std::string_view text, const std::string& source,
                                      std::vector<FileFault>& faults);

class TomlReader {
  protected:
    explicit TomlReader(std::vector<FileFault>& faults) : faults_(faults) {}

    void fault(uint32_t line, std::string reason) { faults_.push_back({line, std::move(reason)}); }
    static uint32_t line_of(const toml::node& node) { return node.source().begin.line; }

    /// `of`: "a lesson", whose keys the handbook lists.
    void check_keys(const toml::table& table, const std::vector<std::string>& known, const char* of);
    /// Whether the table has the key.
    bool text(const toml::table& table, const char* key, std::string& into);
    void flag(const toml::table& table, const char* key, bool& into);
    std::vector<std::string> texts(const toml::table& table, const char* key);
    void number(const toml::table& table, const char* key, double& into);

  private:
    std::vector<FileFault>& faults_;
};

}  // namespace emergence
