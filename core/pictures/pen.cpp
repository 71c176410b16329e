#include "core/pictures/pen.h"

#include "core/base/utf8.h"

namespace emergence {
namespace {

/// Length of the longest prefix of `word` (at least one character) no wider than `limit`.
size_t fitting_prefix(const TextRuler& ruler, const std::string& word, const TextStyle& style, double limit) {
    size_t fits = 0;
    for (size_t end = 1; end <= word.size(); ++end) {
        if (end < word.size() && continues_character(word[end])) continue;
        if (fits > 0 && ruler.text_width(word.substr(0, end), style) > limit) break;
        fits = end;
    }
    return fits;
}

}  // namespace

std::vector<std::string> TextRuler::wrap(const std::string& text, const TextStyle& style, double limit) const {
    std::vector<std::string> lines;
    size_t begin = 0;
    while (begin < text.size()) {
        const size_t paragraph_end = std::min(text.find('\n', begin), text.size());
        std::string line;
        while (begin < paragraph_end) {
            const size_t word_end = std::min(text.find(' ', begin), paragraph_end);
            std::string word = text.substr(begin, word_end - begin);
            const std::string longer = line.empty() ? word : line + " " + word;
            if (text_width(longer, style) <= limit) {
                line = longer;
            } else {
                if (!line.empty()) lines.push_back(line);
                while (text_width(word, style) > limit) {
                    const size_t fits = fitting_prefix(*this, word, style, limit);
                    if (fits == word.size()) break;
                    lines.push_back(word.substr(0, fits));
                    word.erase(0, fits);
                }
                line = word;
            }
            begin = word_end + 1;
        }
        lines.push_back(line);
        begin = paragraph_end + 1;
    }
    return lines;
}

std::vector<std::string> TextRuler::wrap_words(const std::string& text, const TextStyle& style, double limit) const {
    for (size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
        end = std::min(text.find_first_of(" \n", begin), text.size());
        limit = std::max(limit, text_width(text.substr(begin, end - begin), style));
    }
    return wrap(text, style, limit);
}

}  // namespace emergence
