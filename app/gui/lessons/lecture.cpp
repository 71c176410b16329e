#include "app/gui/lessons/lecture.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "app/gui/widgets/floating.h"
#include "app/gui/widgets/text.h"
#include "core/files/atomic_write.h"

namespace emergence {
namespace {

// A window at the lower end of the area, as wide as a sentence needs.
void place_below(const Ui& ui, const Box& area, float width, float height) {
    const float wide = std::min(width, area.size.x - ui.px(32));
    ImGui::SetNextWindowPos({area.min.x + (area.size.x - wide) / 2, area.max().y - height - ui.px(14)});
    ImGui::SetNextWindowSize({wide, height});
}

}  // namespace

void Lecture::drop(const Session& session, const std::vector<std::string>& stage,
                   const std::vector<std::string>& wings) {
    if (!session.snapshot()) return;
    close();
    typed_ = session.snapshot()->step;
    sentence_.clear();
    opened_ = true;
    add_cue({*typed_, stage, wings, ""}, cues_);
    write();
}

void Lecture::close() {
    if (!typed_) return;
    for (Cue& cue : cues_)
        if (cue.step == *typed_) cue.sentence = sentence_;
    typed_.reset();
    write();
}

void Lecture::write() {
    if (place_.folder.empty() || cues_.empty()) return;
    jobs_.post(
        Lane::runs,
        [file = place_.folder / kCuesFile, text = cues_to_toml(cues_)](const Jobs::Task&) {
            write_file(file, std::string_view(text));
        },
        [] {}, AtClosing::done);
}

void Lecture::read(const std::filesystem::path& folder) {
    jobs_.post(
        Lane::runs, [folder](const Jobs::Task&) { return cues_in(folder); },
        [this, run = run_number_](std::vector<Cue> found) {
            if (run != run_number_) return;
            for (Cue& cue : cues_) add_cue(std::move(cue), found);
            cues_ = std::move(found);
        });
}

// Another run has cues of its own. Those of a run that is saved only now are written.
void Lecture::follow_run(const Session& session, const Place& place) {
    const uint64_t run = session.live_snapshot() ? session.live_snapshot()->run_number : 0;
    if (run != run_number_) {
        run_number_ = run;
        cues_.clear();
        place_ = {};
        typed_.reset();
        playing_ = false;
    }
    const Place before = std::exchange(place_, place);
    if (before.resumed_from != place.resumed_from && !place.resumed_from.empty()) read(place.resumed_from);
    if (before.folder != place.folder) write();
}

void Lecture::play_or_stop(Session& session) {
    if (playing_) {
        playing_ = false;
        if (session.time().playing()) session.toggle_playing();
        return;
    }
    if (session.moments().empty()) return;
    close();
    if (session.advancing()) session.set_running(false);
    session.show_step(session.moments().moments().front()->step);
    if (!session.time().playing()) session.toggle_playing();
    playing_ = true;
    shows_ = false;
    next_ = 0;
    holds_ = 0.0;
}

// The run stands still at the cue until its sentence is read.
std::optional<Staging> Lecture::come_to_cue(Session& session) {
    const Cue& cue = cues_[next_++];
    session.show_step(cue.step);
    shows_ = true;
    holds_ = reading_seconds(cue.sentence);
    if (cue.stage.empty()) return std::nullopt;
    return Staging{cue.stage, cue.wings, {}};
}

std::optional<Staging> Lecture::turn(Session& session, const Place& place, double seconds) {
    follow_run(session, place);
    if (!playing_) return std::nullopt;
    if (holds_ > 0.0) {
        holds_ -= seconds;
        if (holds_ > 0.0) return std::nullopt;
        if (!session.time().live()) session.toggle_playing();
    }
    const bool at_end = session.time().live();
    const bool due = next_ < cues_.size() && (at_end || cues_[next_].step <= session.time().step().value_or(0));
    if (due) return come_to_cue(session);
    if (at_end || !session.time().playing()) playing_ = false;  // the end, or the user has stopped it
    return std::nullopt;
}

void Lecture::draw(const Ui& ui, const Box& area) {
    constexpr ImGuiWindowFlags kFixed = Floating::kQuiet | ImGuiWindowFlags_NoScrollbar;
    if (typed_) {
        place_below(ui, area, ui.px(620), ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().WindowPadding.y);
        const Floating window(ui, "cue", ui.colors.accent, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoScrollbar);
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(fmt::format("Cue at {}:", *typed_).c_str());
        ImGui::SameLine();
        ImGui::SetNextItemWidth(-1.0F);
        if (std::exchange(opened_, false)) ImGui::SetKeyboardFocusHere();
        if (ImGui::InputTextWithHint("##sentence", "a sentence, then Enter", &sentence_,
                                     ImGuiInputTextFlags_EnterReturnsTrue))
            close();
        log_item(ui, "cue sentence");
        return;
    }
    if (!playing_ || !shows_ || cues_[next_ - 1].sentence.empty()) return;
    const std::string& sentence = cues_[next_ - 1].sentence;
    const float most = std::min(ui.px(860), area.size.x - ui.px(32));
    const ImVec2 padding = ImGui::GetStyle().WindowPadding;
    const ImVec2 size =
        ui.fonts.body->CalcTextSizeA(ui.fonts.body->FontSize, FLT_MAX, most - 2 * padding.x, sentence.c_str());
    place_below(ui, area, size.x + 2 * padding.x + ui.px(4), size.y + 2 * padding.y);
    const Floating window(ui, "lecture", ui.colors.accent, kFixed | ImGuiWindowFlags_NoInputs);
    ImGui::PushFont(ui.fonts.body);
    ImGui::PushTextWrapPos(most - padding.x);
    ImGui::TextUnformatted(sentence.c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopFont();
}

}  // namespace emergence
