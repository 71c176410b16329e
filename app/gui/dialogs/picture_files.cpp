#include "app/gui/dialogs/picture_files.h"

#include <stb/stb_image.h>
#include <stb/stb_image_resize.h>

#include <memory>

namespace emergence {
namespace {

constexpr int kLargestPicture = 8192;  // pixels of a side

}  // namespace

std::vector<ImU32> read_scaled(const std::filesystem::path& file, int width, int height) {
    int own_width = 0, own_height = 0, channels = 0;
    const std::unique_ptr<unsigned char, decltype(&stbi_image_free)> bytes(
        stbi_load(file.c_str(), &own_width, &own_height, &channels, 4), stbi_image_free);
    if (bytes == nullptr || width <= 0 || height <= 0) return {};
    std::vector<ImU32> pixels(static_cast<size_t>(width) * static_cast<size_t>(height));
    const int done = stbir_resize_uint8(bytes.get(), own_width, own_height, 0,
                                        reinterpret_cast<unsigned char*>(pixels.data()), width, height, 0, 4);
    return done != 0 ? pixels : std::vector<ImU32>{};
}

Pictures::Picture& Pictures::find(const std::filesystem::path& file) {
    const auto [entry, fresh] = pictures_.try_emplace(file.string());
    if (!fresh) return entry->second;
    int width = 0, height = 0, channels = 0;
    if (stbi_info(file.c_str(), &width, &height, &channels) != 0 && width > 0 && height > 0 &&
        width <= kLargestPicture && height <= kLargestPicture)
        entry->second.size = ImVec2(static_cast<float>(width), static_cast<float>(height));
    return entry->second;
}

std::optional<ImVec2> Pictures::size_of(const std::filesystem::path& file) {
    const Picture& picture = find(file);
    return picture.broken ? std::nullopt : picture.size;
}

ImTextureID Pictures::texture(TextureStore& store, const std::filesystem::path& file, int width, int height) {
    Picture& picture = find(file);
    if (!picture.size || picture.broken) return nullptr;
    if (picture.width == width && picture.height == height) return picture.texture;
    const std::vector<ImU32> pixels = read_scaled(file, width, height);
    picture.broken = pixels.empty();
    if (picture.broken) return nullptr;
    picture.texture = store.upload(picture.texture, width, height, pixels);
    picture.width = width;
    picture.height = height;
    return picture.texture;
}

void Pictures::forget() {
    // The textures stay: the store has no way to release one, and they are filled again.
    for (auto& [file, picture] : pictures_) picture = {{}, false, 0, 0, picture.texture};
}

}  // namespace emergence
