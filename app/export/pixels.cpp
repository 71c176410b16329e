#include "app/export/pixels.h"

#include <cairo.h>
#include <fmt/format.h>

#include <cstring>
#include <memory>

#include "app/export/cairo_bytes.h"
#include "app/export/file_format.h"
#include "core/base/check.h"
#include "core/base/error.h"

namespace emergence {
namespace {

constexpr double kDotsPerInch = 96.0;

}  // namespace

std::string png_of(const PixelImage& image, const std::string& title, const std::string& config) {
    const auto width = static_cast<size_t>(image.width);
    check(image.pixels.size() == width * static_cast<size_t>(image.height), "one number a pixel");
    const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface(
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, image.width, image.height), cairo_surface_destroy);
    if (cairo_surface_status(surface.get()) != CAIRO_STATUS_SUCCESS)
        throw IoError(fmt::format("a picture of {} x {} pixels cannot be written", image.width, image.height));
    cairo_surface_flush(surface.get());
    unsigned char* data = cairo_image_surface_get_data(surface.get());
    const auto stride = static_cast<size_t>(cairo_image_surface_get_stride(surface.get()));
    for (size_t i = 0; i < image.pixels.size(); ++i) {
        const uint32_t abgr = image.pixels[i];
        const uint32_t rgb = (abgr & 0xFFU) << 16 | (abgr & 0xFF00U) | (abgr >> 16 & 0xFFU);
        std::memcpy(data + i / width * stride + 4 * (i % width), &rgb, sizeof rgb);
    }
    cairo_surface_mark_dirty(surface.get());
    std::string bytes;
    const cairo_status_t status = cairo_surface_write_to_png_stream(surface.get(), append_bytes, &bytes);
    if (status != CAIRO_STATUS_SUCCESS)
        throw IoError(fmt::format("the picture cannot be written: {}", cairo_text(status)));
    return page::finished_png(bytes, kDotsPerInch, {title, config});
}

}  // namespace emergence
