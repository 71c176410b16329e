#include "app/export/pixel_files.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "tests/support/scratch.h"

using namespace emergence;

namespace {

// A decoder of its own, as the format's page describes it.
class GifReader {
  public:
    explicit GifReader(std::string bytes) : bytes_(std::move(bytes)) {}

    std::vector<PixelImage> frames() {
        REQUIRE(bytes_.substr(0, 6) == "GIF89a");
        const int width = number(6), height = number(8);
        PixelImage canvas{width, height, std::vector<uint32_t>(static_cast<size_t>(width * height))};
        std::vector<PixelImage> all;
        at_ = 13;
        while (byte() != ';') {
            if (bytes_[at_] == '!') {
                at_ += 2;
                read_blocks();
                continue;
            }
            REQUIRE(bytes_[at_] == ',');
            draw(canvas);
            all.push_back(canvas);
        }
        CHECK(at_ + 1 == bytes_.size());
        return all;
    }

  private:
    int byte() const { return static_cast<unsigned char>(bytes_.at(at_)); }
    int number(size_t at) const {
        return static_cast<unsigned char>(bytes_[at]) | (static_cast<unsigned char>(bytes_[at + 1]) << 8);
    }
    std::string read_blocks() {
        std::string data;
        while (byte() != 0) {
            const auto length = static_cast<size_t>(byte());
            data += bytes_.substr(at_ + 1, length);
            at_ += 1 + length;
        }
        ++at_;
        return data;
    }
    void draw(PixelImage& canvas) {
        const int x = number(at_ + 1), y = number(at_ + 3), width = number(at_ + 5);
        const int colors = 2 << (static_cast<unsigned char>(bytes_[at_ + 9]) & 7);
        const size_t table = at_ + 10;
        at_ = table + 3 * static_cast<size_t>(colors);
        const int bits = byte();
        ++at_;
        const std::vector<int> indices = unpacked(read_blocks(), bits);
        for (size_t i = 0; i < indices.size(); ++i) {
            uint32_t color = 0xFF000000U;
            for (size_t channel = 0; channel < 3; ++channel)
                color |= static_cast<uint32_t>(
                             static_cast<unsigned char>(bytes_[table + 3 * static_cast<size_t>(indices[i]) + channel]))
                         << (8 * channel);
            const int row = y + static_cast<int>(i) / width, column = x + static_cast<int>(i) % width;
            canvas.pixels[static_cast<size_t>(row * canvas.width + column)] = color;
        }
    }
    static std::vector<int> unpacked(const std::string& data, int bits) {
        const int clear = 1 << bits, end = clear + 1;
        std::vector<std::vector<int>> words;
        std::vector<int> result, before;
        int length = bits + 1;
        size_t at = 0;
        const auto next = [&] {
            int code = 0;
            for (int i = 0; i < length; ++i, ++at)
                code |= ((static_cast<unsigned char>(data.at(at / 8)) >> (at % 8)) & 1) << i;
            return code;
        };
        for (int code = next(); code != end; code = next()) {
            if (code == clear) {
                words.clear();
                for (int i = 0; i < clear + 2; ++i) words.push_back({i});
                before.clear();
                length = bits + 1;
                continue;
            }
            std::vector<int> word = code < static_cast<int>(words.size()) ? words[static_cast<size_t>(code)] : before;
            if (code >= static_cast<int>(words.size())) word.push_back(before.front());
            result.insert(result.end(), word.begin(), word.end());
            if (!before.empty() && words.size() < 4096) {
                before.push_back(word.front());
                words.push_back(before);
                if (static_cast<int>(words.size()) == 1 << length && length < 12) ++length;
            }
            before = std::move(word);
        }
        return result;
    }

    std::string bytes_;
    size_t at_ = 0;
};

PixelImage painted(int width, int height, uint32_t (*color)(int x, int y)) {
    PixelImage image{width, height, {}};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) image.pixels.push_back(0xFF000000U | color(x, y));
    return image;
}

}  // namespace

TEST_CASE("a film of few colours is read back as it was drawn") {
    const PixelImage first = painted(90, 61, [](int x, int y) { return static_cast<uint32_t>((x * 7 + y * y) % 200); });
    PixelImage second = first;
    second.pixels[90 * 30 + 40] = 0xFF00FF00U;
    second.pixels[90 * 45 + 70] = 0xFF123456U;
    GifMaker film(90, 61, "experiment = \"td\"");
    for (const PixelImage& frame : {first, second, second, first}) film.add(frame, 10);
    CHECK(testing::holds(film.finished(), "experiment = \"td\""));
    const std::vector<PixelImage> read = GifReader(film.finished()).frames();
    REQUIRE(read.size() == 4);
    CHECK(read[0].pixels == first.pixels);
    CHECK(read[1].pixels == second.pixels);
    CHECK(read[2].pixels == second.pixels);
    CHECK(read[3].pixels == first.pixels);
}

TEST_CASE("a frame with many colours keeps each within a few shades") {
    const PixelImage frame = painted(256, 256, [](int x, int y) { return static_cast<uint32_t>(x | (y << 8)); });
    GifMaker film(256, 256, "");
    film.add(frame, 4);
    const std::vector<PixelImage> read = GifReader(film.finished()).frames();
    REQUIRE(read.size() == 1);
    int most = 0;
    for (size_t i = 0; i < frame.pixels.size(); ++i)
        for (unsigned channel = 0; channel < 3; ++channel) {
            const auto value = [&](uint32_t color) { return static_cast<int>((color >> (8 * channel)) & 0xFFU); };
            most = std::max(most, std::abs(value(read[0].pixels[i]) - value(frame.pixels[i])));
        }
    CHECK(most <= 8);  // of 65,536 colours 256 are left
}

TEST_CASE("an area keeps its colour beside many others") {
    const PixelImage frame =
        painted(256, 256, [](int x, int y) { return y < 128 ? 0xFCFCFCU : static_cast<uint32_t>(x | (y << 8)); });
    GifMaker film(256, 256, "");
    film.add(frame, 4);
    CHECK(GifReader(film.finished()).frames().front().pixels.front() == 0xFFFCFCFCU);
}
