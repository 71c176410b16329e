#include "tests/app/gui/pictures/text_scan.h"
#include "tests/support/scratch.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <optional>
#include <unordered_map>
#include <utility>

namespace emergence::testing {
namespace {

struct Letter {
    const ImFont* font = nullptr;
    const ImFontGlyph* glyph = nullptr;
};

// A quad of the font's texture: which letter, where, and whether all of it is there.
struct Ink {
    Letter letter;
    ImVec2 min, max;
    bool whole = true;
};

uint64_t key_of(float u, float v) {
    uint32_t bits[2];
    std::memcpy(&bits[0], &u, sizeof u);
    std::memcpy(&bits[1], &v, sizeof v);
    return (uint64_t{bits[0]} << 32U) | bits[1];
}

class Letters {
  public:
    explicit Letters(const ImFontAtlas& atlas) {
        for (const ImFont* font : atlas.Fonts)
            for (const ImFontGlyph& glyph : font->Glyphs)
                if (glyph.Visible) by_corner_.emplace(key_of(glyph.U0, glyph.V0), Letter{font, &glyph});
    }
    /// The letter whose texels lie between two corners; `whole` is false if it is only a part of it.
    std::optional<Letter> find(ImVec2 first, ImVec2 last, bool& whole) const {
        whole = true;
        if (const auto found = by_corner_.find(key_of(first.x, first.y)); found != by_corner_.end())
            if (found->second.glyph->U1 == last.x && found->second.glyph->V1 == last.y) return found->second;
        whole = false;
        for (const auto& [key, letter] : by_corner_) {
            const ImFontGlyph& glyph = *letter.glyph;
            if (first.x >= glyph.U0 && last.x <= glyph.U1 && first.y >= glyph.V0 && last.y <= glyph.V1) return letter;
        }
        return std::nullopt;
    }

  private:
    std::unordered_map<uint64_t, Letter> by_corner_;
};

// The corners of a rectangle of two triangles, if these six indices are one.
bool is_quad(const ImDrawIdx* index) {
    return index[1] == index[0] + 1 && index[2] == index[0] + 2 && index[3] == index[0] && index[4] == index[2] &&
           index[5] == index[0] + 3;
}

void append(std::string& text, ImWchar letter) {
    char bytes[5] = {};
    ImTextCharToUtf8(bytes, letter);
    text += bytes;
}

class Reader {
  public:
    Reader(const Letters& letters, const ImDrawList& list, std::vector<DrawnLine>& lines)
        : letters_(letters), list_(list), lines_(lines) {}

    void read() {
        for (const ImDrawCmd& command : list_.CmdBuffer)
            if (command.UserCallback == nullptr && command.GetTexID() == ImGui::GetIO().Fonts->TexID) read(command);
    }

  private:
    void read(const ImDrawCmd& command) {
        const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
        for (unsigned i = 0; i + 6 <= command.ElemCount;) {
            const ImDrawIdx* index = list_.IdxBuffer.Data + command.IdxOffset + i;
            const ImDrawVert* corner = list_.VtxBuffer.Data + command.VtxOffset + index[0];
            if (!is_quad(index) || (corner[0].uv.x == white.x && corner[0].uv.y == white.y)) {
                i += 3;
                continue;
            }
            Ink ink{{}, corner[0].pos, corner[2].pos, true};
            if (const auto letter = letters_.find(corner[0].uv, corner[2].uv, ink.whole)) {
                ink.letter = *letter;
                add(ink, command.ClipRect);
            }
            i += 6;
        }
    }

    void add(const Ink& ink, const ImVec4& clip) {
        const ImFontGlyph& glyph = *ink.letter.glyph;
        const ImVec2 origin(ink.min.x - glyph.X0, ink.min.y - glyph.Y0);
        // Clipped above or below only: it may be scrolled there.
        const bool cut = ink.min.x < clip.x - 1.0F || ink.max.x > clip.z + 1.0F || !ink.whole;
        const float size = ink.letter.font->FontSize;
        const float gap = origin.x - end_;
        const bool goes_on = !lines_.empty() && font_ == ink.letter.font && std::abs(origin.y - top_) < 0.6F &&
                             gap > -0.3F * size && gap < 0.7F * size && lines_.size() > before_;
        if (!goes_on) {
            lines_.push_back({"", ink.min, ink.max, false, list_._OwnerName});
            before_ = lines_.size() - 1;
        } else if (gap > 0.2F * size) {
            lines_.back().text += ' ';
        }
        DrawnLine& line = lines_.back();
        append(line.text, static_cast<ImWchar>(glyph.Codepoint));
        line.min = {std::min(line.min.x, ink.min.x), std::min(line.min.y, ink.min.y)};
        line.max = {std::max(line.max.x, ink.max.x), std::max(line.max.y, ink.max.y)};
        line.cut = line.cut || cut;
        font_ = ink.letter.font;
        top_ = origin.y;
        end_ = origin.x + glyph.AdvanceX;
    }

    const Letters& letters_;
    const ImDrawList& list_;
    std::vector<DrawnLine>& lines_;
    size_t before_ = 0;  // lines of other lists
    const ImFont* font_ = nullptr;
    float top_ = 0.0F, end_ = 0.0F;
};

bool lie_on_each_other(const DrawnLine& a, const DrawnLine& b) {
    const float kTouch = std::max(2.0F, 0.25F * std::min(a.max.y - a.min.y, b.max.y - b.min.y));
    return a.window == b.window && a.text != b.text &&
           std::min(a.max.x, b.max.x) - std::max(a.min.x, b.min.x) > kTouch &&
           std::min(a.max.y, b.max.y) - std::max(a.min.y, b.min.y) > kTouch;
}

// "tr Q[:d,:d]", "p1[reward]", but not "E[R1 + ...]", an expectation.
bool indexes(const std::string& text) {
    for (size_t at = text.find('['); at != std::string::npos; at = text.find('[', at + 1)) {
        const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
        if (at == 0 || std::isalnum(byte(at - 1)) == 0) continue;
        const bool expectation = text[at - 1] == 'E' && (at == 1 || std::isalnum(byte(at - 2)) == 0);
        if (!expectation) return true;
    }
    return false;
}

}  // namespace

std::vector<DrawnLine> drawn_lines(const ImDrawData& data) {
    const Letters letters(*ImGui::GetIO().Fonts);
    std::vector<DrawnLine> lines;
    for (int i = 0; i < data.CmdListsCount; ++i) Reader(letters, *data.CmdLists[i], lines).read();
    return lines;
}

bool names_internals(const std::string& text) {
    if (indexes(text)) return true;
    const auto small = [&](size_t at) { return at < text.size() && text[at] >= 'a' && text[at] <= 'z'; };
    for (size_t i = 2; i + 2 < text.size(); ++i)
        if (text[i] == '_' && small(i - 1) && small(i - 2) && small(i + 1) && small(i + 2)) return true;
    for (const char* sign : {"==", ">=", "<=", ".toml"})
        if (holds(text, sign)) return true;
    return false;
}

std::vector<std::string> text_faults(const std::vector<DrawnLine>& lines) {
    std::vector<std::string> faults;
    for (size_t i = 0; i < lines.size(); ++i) {
        const DrawnLine& line = lines[i];
        if (line.cut) faults.push_back("cut: " + line.text);
        if (names_internals(line.text)) faults.push_back("name: " + line.text);
        // " …" follows a whole sentence or a part of one, and a tooltip says the rest.
        if (line.text.ends_with("…") && !line.text.ends_with(" …")) faults.push_back("ellipsis: " + line.text);
        for (size_t k = i + 1; k < lines.size(); ++k)
            if (lie_on_each_other(line, lines[k])) faults.push_back("overlap: " + line.text + " | " + lines[k].text);
    }
    return faults;
}

}  // namespace emergence::testing
