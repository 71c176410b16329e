#include "app/gui/lessons/lesson_writer.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>

#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/dialog.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/base/text.h"

namespace emergence {
namespace {

constexpr float kWriterWidth = 680.0F;

// Spaces and line breaks change places, so that lines fit and the cursor stays.
void break_lines(char* text, int length, float width) {
    const char* end = text + length;
    char* last_space = nullptr;
    const char* line = text;
    std::replace(text, text + length, '\n', ' ');
    for (char* at = text; at <= end; ++at) {
        if (at != end && *at != ' ') continue;
        if (last_space != nullptr && ImGui::CalcTextSize(line, at).x > width) {
            *last_space = '\n';
            line = last_space + 1;
        }
        last_space = at;
    }
}

int break_as_typed(ImGuiInputTextCallbackData* data) {
    break_lines(data->Buf, data->BufTextLen, *static_cast<const float*>(data->UserData));
    data->BufDirty = true;
    return 0;
}

std::string as_read(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return std::string(trimmed(text));
}

bool escape_pressed() { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape)); }

}  // namespace

void LessonWriter::FieldOrder::before() {
    if (count_ == wanted_) {
        ImGui::SetKeyboardFocusHere();
        wanted_ = -1;
    }
}

void LessonWriter::FieldOrder::after() {
    if (ImGui::IsItemActive()) active_ = count_;
    ++count_;
}

void LessonWriter::FieldOrder::end() {
    const bool pressed = ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Tab));
    if (pressed && count_ > 0) wanted_ = (active_ + (ImGui::GetIO().KeyShift ? count_ - 1 : 1)) % count_;
}

// Esc in a field of Dear ImGui takes back what was typed into it: here the words stay.
template <class Field>
bool LessonWriter::keeping_words(std::string& text, const Field& field) {
    const std::string before = text;
    order_.before();
    const bool entered = field();
    order_.after();
    if (escape_pressed()) text = before;
    return entered;
}

// A paragraph with its heading and how many words it has. True for Ctrl + Enter.
bool LessonWriter::draw_paragraph(const Ui& ui, const char* id, const std::string& heading, std::string& text) {
    const size_t words = count_words(text);
    ImGui::PushFont(ui.fonts.small);
    ImGui::TextUnformatted(heading.c_str());
    ImGui::SameLine();
    ImGui::PushStyleColor(ImGuiCol_Text, words > kMostLessonWords ? ui.colors.warning : ui.colors.muted);
    ImGui::TextUnformatted(fmt::format("{} of at most {} words", words, kMostLessonWords).c_str());
    ImGui::PopStyleColor();
    ImGui::PopFont();
    const ImVec2 size(ui.px(kWriterWidth), 3 * ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().FramePadding.y);
    float width = size.x - 2 * ImGui::GetStyle().FramePadding.x - ImGui::GetStyle().ScrollbarSize;
    break_lines(text.data(), static_cast<int>(text.size()), width);  // of a step that was added, or in another size
    return keeping_words(text, [&] {
        const bool entered = ImGui::InputTextMultiline(
            fmt::format("##{}", id).c_str(), &text, size,
            ImGuiInputTextFlags_CallbackEdit | ImGuiInputTextFlags_EnterReturnsTrue, break_as_typed, &width);
        log_item(ui, id);
        return entered;
    });
}

void LessonWriter::begin(LessonDraft draft, std::string shows) {
    next_ = std::move(draft);
    shows_ = std::move(shows);
    at_ = steps_.size();
    order_.start(at_ == 0 && !title_.empty() ? 1 : 0);
    show();
}

LessonWriter::Sheetful LessonWriter::sheetful_of(const LessonWords& words) {
    Sheetful typed{words.text, words.reveal, {}, words.answer};
    std::copy_n(words.choices.begin(), std::min(words.choices.size(), kMostAnswers), typed.answers.begin());
    return typed;
}

LessonWords LessonWriter::words_of(const Sheetful& typed) {
    LessonWords words{as_read(typed.text), as_read(typed.reveal), {}, -1};
    for (size_t i = 0; i < kMostAnswers; ++i) {
        const std::string answer = as_read(typed.answers[i]);
        if (answer.empty()) continue;
        if (static_cast<int>(i) == typed.right) words.answer = static_cast<int>(words.choices.size());
        words.choices.push_back(answer);
    }
    return words;
}

void LessonWriter::turn_to(size_t step) {
    at_ = step;
    if (!is_new()) changed_ = sheetful_of(steps_[at_].words);
}

void LessonWriter::draw_steps(const Ui& ui) {
    if (steps_.empty()) return;
    std::vector<std::string> names;
    for (size_t i = 0; i < steps_.size(); ++i) names.push_back(fmt::format("step {}", i + 1));
    names.push_back("new step");
    std::vector<const char*> labels;
    for (const std::string& name : names) labels.push_back(name.c_str());
    int chosen = static_cast<int>(at_);
    if (draw_segments(ui, "writer", labels, chosen)) turn_to(static_cast<size_t>(chosen));
}

void LessonWriter::draw_answers(const Ui& ui) {
    Sheetful& typed = this->typed();
    small_text(ui, ui.colors.text,
               "Answers to choose from; mark the right one. Without answers the step asks nothing.");
    size_t rows = 2;
    for (size_t i = 0; i < kMostAnswers; ++i)
        if (!typed.answers[i].empty()) rows = std::clamp(i + 2, rows, kMostAnswers);
    for (size_t i = 0; i < rows; ++i) {
        ImGui::PushID(static_cast<int>(i));
        ImGui::RadioButton("##right", &typed.right, static_cast<int>(i));
        log_item(ui, fmt::format("writer right {}", i).c_str());
        explain_item(ui, "The right answer");
        ImGui::SameLine();
        ImGui::SetNextItemWidth(ui.px(kWriterWidth) - ImGui::GetFrameHeight() - ImGui::GetStyle().ItemSpacing.x);
        keeping_words(typed.answers[i], [&] {
            return ImGui::InputTextWithHint("##answer", i + 1 < rows || i + 1 == kMostAnswers ? "" : "a further answer",
                                            &typed.answers[i]);
        });
        log_item(ui, fmt::format("writer answer {}", i).c_str());
        ImGui::PopID();
    }
}

bool LessonWriter::draw_words(const Ui& ui) {
    Sheetful& typed = this->typed();
    if (at_ == 0) {
        small_text(ui, ui.colors.text, "Title of the lesson");
        ImGui::SetNextItemWidth(ui.px(kWriterWidth));
        keeping_words(title_, [&] { return ImGui::InputText("##title", &title_); });
        log_item(ui, "writer title");
    }
    const bool first = draw_paragraph(ui, "writer text", "What the class reads", typed.text);
    explain_item(ui, "A number of the run stands in braces, for example {emerged} of {seeds}.");
    draw_answers(ui);
    return draw_paragraph(ui, "writer reveal", "What the class reads after the answer", typed.reveal) || first;
}

// Settings take room beside the stage: only if the teacher wants them.
void LessonWriter::draw_controls(const Context& context) {
    const std::vector<std::string>& controls = next_.staging.controls;
    if (!is_new() || controls.empty()) return;
    const Settings& settings = context.session.settings();
    const std::string names = listed(controls, [&](const std::string& name) {
        return settings.has(name) ? greek(settings.info(name).label) : name;
    });
    const float room = context.ui.px(kWriterWidth) - 2 * ImGui::GetFrameHeight();
    ImGui::Checkbox((elided(context.ui.fonts.body, "The class may change " + names, room) + "##unlock").c_str(),
                    &unlocks_);
    log_item(context.ui, "writer unlock");
    explain_item(context.ui, names);
}

void LessonWriter::add(Asks& asks, bool begin) {
    const ask::WriteLesson wish{at_, is_new(), begin};
    if (wish.added) {
        next_.words = words_of(typed_);
        if (!unlocks_) next_.staging.controls.clear();
        steps_.push_back(std::exchange(next_, {}));
        typed_ = {};
        unlocks_ = false;
    } else {
        steps_[at_].words = words_of(changed_);
    }
    close();
    asks(wish);
}

void LessonWriter::draw_buttons(const Context& context, const std::string& lacks, bool entered) {
    const Ui& ui = context.ui;
    const ImVec2 size(ui.px(200), 0.0F);
    const bool ready = lacks.empty();
    small_text(ui, ui.colors.muted,
               !ready      ? lacks
               : !is_new() ? "What this step shows stays as it was when the step was added."
                           : shows_);
    ImGui::BeginDisabled(!ready);
    const char* label = is_new() ? "Add the step" : "Save the words";
    const bool added = draw_button(ui, "writer add", label, size, "Into the lesson's file  (Ctrl + Enter)", true);
    ImGui::SameLine();
    const bool tried = draw_button(ui, "writer try", "… and open the lesson", size, "Takes the lesson at this step");
    ImGui::EndDisabled();
    ImGui::SameLine();
    if (draw_button(ui, "writer close", "Close", {ui.px(90), 0.0F}, "The words stay here  (Esc)")) close();
    if (!steps_.empty() && is_new()) {
        ImGui::SameLine();
        if (draw_button(ui, "writer another", "Another lesson", {ui.px(140), 0.0F},
                        "This one is complete: the step begins a new one")) {
            steps_.clear();
            title_.clear();
            context.asks(Action::lesson_from_here);  // which opens what the window shows
        }
    }
    if (ready && (added || tried || entered)) add(context.asks, tried);
}

void LessonWriter::draw(const Context& context) {
    if (!open_) return;
    const Ui& ui = context.ui;
    const Dialog dialog(ui, name(), kWriterWidth);
    heading_text(ui, steps_.empty() ? "A lesson: its first step" : "A lesson");
    draw_steps(ui);
    order_.begin();
    const bool entered = draw_words(ui);
    order_.end();
    draw_controls(context);
    const bool untitled = as_read(title_).empty();
    ImGui::Dummy({0.0F, ui.px(4)});
    draw_buttons(context, untitled ? "Write a title." : what_lacks(words_of(typed())), entered);
    if (escape_pressed()) close();
}

}  // namespace emergence
