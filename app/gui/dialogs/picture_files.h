#pragma once
// Pictures from files, each read when it is first shown.

#include <imgui.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/shell/theme.h"

namespace emergence {

class Pictures {
  public:
    /// The size in the file, in pixels; nothing if it is missing or no picture. Read once a file.
    std::optional<ImVec2> size_of(const std::filesystem::path& file);
    /// The picture with this many pixels, so that a nearest-filtered texture shows it evenly; null if it
    /// cannot be read.
    ImTextureID texture(TextureStore& store, const std::filesystem::path& file, int width, int height);
    /// Reads all files again when they are next shown.
    void forget();

  private:
    struct Picture {
        std::optional<ImVec2> size;
        bool broken = false;
        int width = 0, height = 0;  // of the texture
        ImTextureID texture = nullptr;
    };
    Picture& find(const std::filesystem::path& file);

    std::map<std::string, Picture> pictures_;
};

/// The pixels of a PNG or JPEG, made smaller or larger; empty if the file cannot be read.
std::vector<ImU32> read_scaled(const std::filesystem::path& file, int width, int height);

}  // namespace emergence
