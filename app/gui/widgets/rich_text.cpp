#include "app/gui/widgets/rich_text.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "app/gui/widgets/text.h"
#include "core/base/text.h"

namespace emergence {
namespace {

constexpr float kLineHeight = 1.38F;  // of the font's

const ImFont* face_of(const Ui& ui, TextRank rank, handbook::Span::Kind kind) {
    const Fonts& fonts = ui.fonts;
    if (rank == TextRank::first) return fonts.large;
    if (kind == handbook::Span::Kind::code) return fonts.mono;
    if (rank == TextRank::caption) return fonts.small;
    if (rank != TextRank::body || kind == handbook::Span::Kind::bold) return fonts.bold;
    return kind == handbook::Span::Kind::emphasis ? fonts.slanted : fonts.body;
}

// Letters of one span without a space. A word of several spans has several pieces.
struct Piece {
    size_t span = 0;
    bool spaced = false;  // a space stands before it
    std::string text;
    float width = 0.0F;
};

std::vector<Piece> pieces_of(const Ui& ui, const handbook::Spans& spans, TextRank rank) {
    std::vector<Piece> pieces;
    bool spaced = false;
    for (size_t i = 0; i < spans.size(); ++i) {
        const std::string& text = spans[i].text;
        const ImFont* face = face_of(ui, rank, spans[i].kind);
        for (size_t at = 0; at < text.size();) {
            if (text[at] == ' ' || text[at] == '\n') {
                spaced = true;
                ++at;
                continue;
            }
            const size_t end = std::min(text.find_first_of(" \n", at), text.size());
            Piece piece{i, spaced, text.substr(at, end - at), 0.0F};
            piece.width = text_size(face, piece.text).x;
            pieces.push_back(std::move(piece));
            spaced = false;
            at = end;
        }
    }
    return pieces;
}

// Puts pieces one behind another and begins a new line before a word that does not fit.
class LineBreaker {
  public:
    LineBreaker(const Ui& ui, const handbook::Spans& spans, TextRank rank, float width)
        : ui_(ui), spans_(spans), rank_(rank), width_(width) {
        placed_.line = std::round(face_of(ui, rank, handbook::Span::Kind::text)->FontSize * kLineHeight);
        placed_.muted = rank == TextRank::caption;
    }

    PlacedText place() {
        const std::vector<Piece> pieces = pieces_of(ui_, spans_, rank_);
        for (size_t i = 0; i < pieces.size();) {
            size_t end = i + 1;
            float word = pieces[i].width;
            for (; end < pieces.size() && !pieces[end].spaced; ++end) word += pieces[end].width;
            // A space between two spans is as wide as in plain text.
            const bool inside = i > 0 && pieces[i - 1].span == pieces[i].span;
            const ImFont* spacing = inside ? face(pieces[i].span) : face_of(ui_, rank_, handbook::Span::Kind::text);
            const float space = x_ > 0.0F && pieces[i].spaced ? text_size(spacing, " ").x : 0.0F;
            const bool fits = x_ + space + word <= width_;
            if (!fits && x_ > 0.0F) new_line();
            for (bool first = true; i < end; ++i, first = false) put(pieces[i], first && fits ? space : 0.0F);
        }
        placed_.size.y = placed_.runs.empty() ? 0.0F : y_ + placed_.line;
        return std::move(placed_);
    }

  private:
    const ImFont* face(size_t span) const { return face_of(ui_, rank_, spans_[span].kind); }

    void new_line() {
        x_ = 0.0F;
        y_ += placed_.line;
    }

    void put(const Piece& piece, float space) {
        if (x_ > 0.0F && x_ + space + piece.width > width_) {
            new_line();
            space = 0.0F;
        }
        if (piece.width <= width_) {
            put_whole(piece.span, piece.text, piece.width, space);
            return;
        }
        // A word that is longer than a line is broken between letters.
        const ImFont* own = face(piece.span);
        for (size_t at = 0; at < piece.text.size();) {
            size_t end = std::max(at + 1, end_of_fitting(own, piece.text, at, width_));
            while (end < piece.text.size() && continues_character(piece.text[end])) ++end;
            if (at > 0) new_line();
            const std::string part = piece.text.substr(at, end - at);
            put_whole(piece.span, part, text_size(own, part).x, 0.0F);
            at = end;
        }
    }

    // Words of one span and line become one run, so that a term of two words is found in it.
    void put_whole(size_t span, const std::string& text, float width, float space) {
        const ImFont* own = face(span);
        if (!placed_.runs.empty() && x_ > 0.0F) {
            PlacedRun& last = placed_.runs.back();
            if (last.span == span && last.at.y == y_ + drop(own)) {
                last.text += (space > 0.0F ? " " : "") + text;
                last.width = text_size(own, last.text).x;
                x_ = last.at.x + last.width;
                placed_.size.x = std::max(placed_.size.x, x_);
                return;
            }
        }
        // The background of code reaches a little beyond its letters.
        const bool beside_code = spans_[span].kind == handbook::Span::Kind::code ||
                                 (!placed_.runs.empty() && placed_.runs.back().kind == handbook::Span::Kind::code);
        if (x_ > 0.0F && beside_code) x_ += ui_.px(2);
        x_ += space;
        placed_.runs.push_back({{x_, y_ + drop(own)}, width, own, spans_[span].kind, span, text});
        x_ += width;
        placed_.size.x = std::max(placed_.size.x, x_);
    }

    // All fonts of a line share a base line.
    float drop(const ImFont* own) const {
        const ImFont* plain = face_of(ui_, rank_, handbook::Span::Kind::text);
        return std::round((placed_.line - plain->FontSize) / 2 + plain->Ascent - own->Ascent);
    }

    const Ui& ui_;
    const handbook::Spans& spans_;
    TextRank rank_;
    float width_;
    float x_ = 0.0F, y_ = 0.0F;
    PlacedText placed_;
};

void draw_run(const Ui& ui, const PlacedRun& run, ImVec2 at, bool muted) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (run.kind == handbook::Span::Kind::code)
        list->AddRectFilled({at.x - ui.px(3), at.y - ui.px(2)},
                            {at.x + run.width + ui.px(3), at.y + run.font->FontSize + ui.px(2)}, ui.colors.control,
                            ui.px(3));
    const ImU32 color = run.kind == handbook::Span::Kind::link ? ui.colors.accent
                        : muted                                ? ui.colors.muted
                                                               : ui.colors.text;
    draw_text(list, run.font, at, color, run.text);
}

// Every line of a link is a button. True if it was clicked.
bool use_link(const Ui& ui, const PlacedRun& run, ImVec2 at, const std::string& target) {
    ImGui::SetCursorScreenPos(at);
    const bool clicked = ImGui::InvisibleButton("link", {std::max(1.0F, run.width), run.font->FontSize});
    log_item(ui, "link " + target);
    if (!ImGui::IsItemHovered()) return clicked;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    const float y = at.y + run.font->FontSize;
    ImGui::GetWindowDrawList()->AddLine({at.x, y}, {at.x + run.width, y}, ui.colors.accent);
    return clicked;
}

}  // namespace

PlacedText place_text(const Ui& ui, const handbook::Spans& spans, TextRank rank, float width) {
    return LineBreaker(ui, spans, rank, width).place();
}

TextWidths text_widths(const Ui& ui, const handbook::Spans& spans, TextRank rank) {
    TextWidths widths;
    float word = 0.0F;
    for (const Piece& piece : pieces_of(ui, spans, rank)) {
        if (piece.spaced) widths.whole += text_size(face_of(ui, rank, spans[piece.span].kind), " ").x;
        word = piece.spaced ? piece.width : word + piece.width;
        widths.whole += piece.width;
        widths.word = std::max(widths.word, word);
    }
    return {std::ceil(widths.whole), std::ceil(widths.word)};
}

PlacedLinks draw_placed_text(const Ui& ui, const PlacedText& text, const handbook::Spans& spans, ImVec2 at) {
    PlacedLinks links;
    for (size_t i = 0; i < text.runs.size(); ++i) {
        const PlacedRun& run = text.runs[i];
        const ImVec2 place(std::round(at.x + run.at.x), std::round(at.y + run.at.y));
        draw_run(ui, run, place, text.muted);
        if (run.kind != handbook::Span::Kind::link) continue;
        ImGui::PushID(static_cast<int>(i));
        if (use_link(ui, run, place, spans[run.span].target)) links.clicked = run.span;
        if (ImGui::IsItemHovered()) {
            links.hovered = run.span;
            links.min = ImGui::GetItemRectMin();
            links.max = ImGui::GetItemRectMax();
        }
        ImGui::PopID();
    }
    return links;
}

}  // namespace emergence
