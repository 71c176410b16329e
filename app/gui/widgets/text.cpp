#include "app/gui/widgets/text.h"

#include <array>
#include <cctype>
#include <cfloat>
#include <cmath>
#include <utility>

namespace emergence {
namespace {

constexpr std::array<std::pair<std::string_view, const char*>, 15> kLetters = {{{"alpha", "α"},
                                                                                {"beta", "β"},
                                                                                {"gamma", "γ"},
                                                                                {"delta", "δ"},
                                                                                {"epsilon", "ε"},
                                                                                {"theta", "θ"},
                                                                                {"lambda", "λ"},
                                                                                {"mu", "μ"},
                                                                                {"pi", "π"},
                                                                                {"rho", "ρ"},
                                                                                {"sigma", "σ"},
                                                                                {"tau", "τ"},
                                                                                {"phi", "φ"},
                                                                                {"Phi", "Φ"},
                                                                                {"Sigma", "Σ"}}};

std::string letter_for(std::string_view word) {
    for (const auto& [name, letter] : kLetters)
        if (word == name) return letter;
    return std::string(word);
}

float shift(Placed placed, float extent) {
    if (placed == Placed::start) return 0.0F;
    return placed == Placed::middle ? -extent / 2 : -extent;
}

}  // namespace

std::string greek(std::string_view label) {
    std::string result;
    size_t i = 0;
    while (i < label.size()) {
        size_t end = i;
        while (end < label.size() && std::isalpha(static_cast<unsigned char>(label[end])) != 0) ++end;
        if (end > i) {
            result += letter_for(label.substr(i, end - i));
            i = end;
        } else {
            if (label[i] == '\'')
                result += "′";
            else
                result += label[i];
            ++i;
        }
    }
    return result;
}

ImVec2 text_size(const ImFont* font, const std::string& text) {
    return font->CalcTextSizeA(font->FontSize, FLT_MAX, 0.0F, text.data(), text.data() + text.size());
}

void draw_text(ImDrawList* list, const ImFont* font, ImVec2 at, ImU32 color, const std::string& text) {
    list->AddText(font, font->FontSize, {std::round(at.x), std::round(at.y)}, color, text.data(),
                  text.data() + text.size());
}

std::string elided(const ImFont* font, const std::string& text, float width) {
    if (text_size(font, text).x <= width) return text;
    const std::string dots = "…";
    const float room = width - text_size(font, dots).x;
    const char* rest = nullptr;
    font->CalcTextSizeA(font->FontSize, std::max(room, 0.0F), 0.0F, text.data(), text.data() + text.size(),
                        &rest);
    return std::string(text.data(), rest) + dots;
}

void draw_text_placed(ImDrawList* list, const ImFont* font, ImVec2 at, Placed horizontal, Placed vertical,
                      ImU32 color, const std::string& text) {
    const ImVec2 size = text_size(font, text);
    draw_text(list, font, {at.x + shift(horizontal, size.x), at.y + shift(vertical, size.y)}, color, text);
}

}  // namespace emergence
