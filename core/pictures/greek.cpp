#include "core/pictures/greek.h"

#include <array>
#include <cctype>
#include <utility>

namespace emergence {
namespace {

constexpr std::array<std::pair<std::string_view, const char*>, 15> kGreekLetters = {{{"alpha", "α"},
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
    for (const auto& [name, letter] : kGreekLetters)
        if (word == name) return letter;
    return std::string(word);
}

// Of a negative number in a text, not of "1e-5" or "2-3".
bool is_minus(std::string_view text, size_t at) {
    const bool begins = at == 0 || std::string_view(" ([\n\t").find(text[at - 1]) != std::string_view::npos;
    return text[at] == '-' && begins && at + 1 < text.size() &&
           std::isdigit(static_cast<unsigned char>(text[at + 1])) != 0;
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
            const bool arrow = label.substr(i, 2) == "<-";
            if (label[i] == '\'')
                result += "′";
            else if (arrow)
                result += "←";
            else if (is_minus(label, i))
                result += "−";
            else
                result += label[i];
            i += arrow ? 2 : 1;
        }
    }
    return result;
}

}  // namespace emergence
