#pragma once
// Reads settings from the user's files: an exported figure, its data, a preset, a config.

#include "core/base/array.h"
#include "core/files/array_files.h"
#include "core/settings/toml.h"

namespace emergence {

/// Reads the settings from a PDF, SVG, PNG or NPZ of a figure, or from TOML. A figure that another program has saved
/// again can be read if its metadata are still there. The first bytes, not the name, determine the
/// kind of file. Throws InputError, naming the file, if it is unreadable, of another kind, larger than 64 MiB, or
/// holds no settings or damaged ones.
SettingsFile read_config_of(const std::filesystem::path& path);
/// The same from memory; messages name `source`.
SettingsFile config_in(std::span<const std::byte> bytes, const std::string& source);

/// The text of the settings inside an exported figure or its data; nullopt if none, or if `bytes` are another kind of
/// file. Throws InputError, naming `source`, if they are damaged.
std::optional<std::string> embedded_text(std::span<const std::byte> bytes, const std::string& source);

// The settings' text inside one kind of file; nullopt if there is none. For any input these functions throw at most
// InputError, and take time linear in its size.
std::optional<std::string> settings_in_pdf(std::string_view bytes);
std::optional<std::string> settings_in_svg(std::string_view text);
/// The text of an XML element with its entities resolved.
std::string without_entities(std::string_view text);
/// Throws InputError, naming `source`, if the chunk with the settings is damaged.
std::optional<std::string> settings_in_png(std::string_view bytes, const std::string& source);

}  // namespace emergence
