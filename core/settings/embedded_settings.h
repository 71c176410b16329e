#pragma once
// Settings read back from whatever the user points at: a figure that was exported, its data, a preset, a
// config.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/array.h"
#include "core/files/npz.h"
#include "core/settings/toml.h"

namespace emergence {

/// The settings that a file holds or is: PDF, SVG, PNG and NPZ as export_figure writes them (or as other
/// programs save them again, as long as they keep the metadata), or TOML. What the file is, its first bytes
/// say and not its name. Throws InputError, naming the file, where it cannot be read, is of another kind, is
/// larger than 64 MiB, holds no settings or damaged ones.
SettingsFile read_config_of(const std::filesystem::path& path);
/// The same from memory; `source` stands in the messages.
SettingsFile config_in(std::span<const std::byte> bytes, const std::string& source);

/// Settings as NPZ files carry them, under kSettingsKey: the text's bytes.
Array settings_array(std::string_view text);

// The text inside one kind of file; nothing where there is none. No input makes them throw anything but
// InputError, and their time is linear in its size.
std::optional<std::string> settings_in_pdf(std::string_view bytes);
std::optional<std::string> settings_in_svg(std::string_view text);
/// Throws InputError, naming `source`, where the chunk with the settings is damaged.
std::optional<std::string> settings_in_png(std::string_view bytes, const std::string& source);

}  // namespace emergence
