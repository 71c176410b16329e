#include "app/gui/panels/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/pictures/drawing.h"
#include "core/pictures/plot.h"

namespace emergence {
namespace {

constexpr double kLongestFrame = 0.1;  // seconds, so that a window that stood still does not leap

// Adds run B's lines if it is the same scene.
void add_other(Scene& scene, const Snapshot& other) {
    for (const Scene& one : other.scenes)
        if (one.id == scene.id && one.first_time == scene.first_time) overlay(scene.plots, one.plots);
}

std::vector<std::string> labels_in(const DrawingSpec& drawing) {
    std::vector<std::string> labels;
    for (const DrawnShape& shape : drawing.shapes)
        if (shape.kind == DrawnShape::Kind::label) labels.push_back(shape.text);
    return labels;
}

// Outlines the bars that were elsewhere before, unless axes or names have changed.
void outline_before(DrawingSpec& drawing, const DrawingSpec& before) {
    if (drawing.shapes.size() != before.shapes.size() || labels_in(drawing) != labels_in(before)) return;
    std::vector<DrawnShape> outlines;
    for (size_t i = 0; i < drawing.shapes.size(); ++i) {
        const DrawnShape &now = drawing.shapes[i], &then = before.shapes[i];
        if (now.kind != DrawnShape::Kind::polygon || then.kind != now.kind || now.places == then.places) continue;
        std::vector<DrawnPlace> around = then.places;
        around.push_back(around.front());
        outlines.push_back(drawn_line(std::move(around), kFaintColor));
        outlines.back().dashed = true;
    }
    drawing.shapes.insert(drawing.shapes.end(), outlines.begin(), outlines.end());
}

// A scene that moves has no single moment before.
void add_before(Scene& scene, const Snapshot& before) {
    for (const Scene& one : before.scenes) {
        if (one.id != scene.id || one.moments->size() != 1 || scene.moments->size() != 1) continue;
        auto outlined = std::make_shared<std::vector<DrawingSpec>>(*scene.moments);
        outline_before(outlined->front(), one.moments->front());
        scene.moments = std::move(outlined);
    }
}

double scale_fitting(const DrawingSpec& drawing, ImVec2 room) {
    return fit_drawing(drawing, {0.0, 0.0, room.x, room.y}).scale;
}

// The drawing's room, and whether the plots stand beside it: they do in a wide panel, unless the drawing would be much
// larger above them.
std::pair<ImVec2, bool> place_picture(const Ui& ui, const DrawingSpec& drawing, ImVec2 room, float gap) {
    constexpr double kMuchLarger = 1.15;
    const ImVec2 wanted = drawing_size(ui, drawing, room);
    const float across = room.x - gap, up = room.y - gap;
    const ImVec2 beside(std::floor(std::clamp(wanted.x, 0.46F * across, 0.62F * across)), room.y);
    const ImVec2 above(room.x, std::floor(std::clamp(wanted.y, 0.56F * up, 0.66F * up)));
    const bool wide =
        room.x > 1.7F * room.y && scale_fitting(drawing, above) < kMuchLarger * scale_fitting(drawing, beside);
    return {wide ? beside : above, wide};
}

// Leaves out words that would lie on earlier ones or half outside a small picture.
DrawingSpec without_crowded_words(const Ui& ui, DrawingSpec drawing, ImVec2 size) {
    const DrawingFit fit = fit_drawing(drawing, {0.0, 0.0, size.x, size.y});
    const Rect bounds = bounds_of(drawing, fit);
    std::vector<Rect> taken;
    std::erase_if(drawing.shapes, [&](const DrawnShape& shape) {
        if (shape.kind != DrawnShape::Kind::label) return false;
        const ImVec2 words = text_size(ui.fonts.small, greek(shape.text));
        const auto width = static_cast<double>(words.x), height = static_cast<double>(words.y);
        const Point at = fit.at(shape.places[0]);
        const double left = shape.places.size() > 1 ? at.x : at.x - width / 2, right = bounds.right() - width;
        const Rect box{std::clamp(left, bounds.x, std::max(bounds.x, right)), at.y - height / 2, width, height};
        if (right < bounds.x || box.y < bounds.y - 1.0 || box.bottom() > bounds.bottom() + 1.0 ||
            any_of(taken, [&](const Rect& other) { return other.overlaps(box); }))
            return true;
        taken.push_back(box);
        return false;
    });
    return drawing;
}

// Another scene than the first: its first moment.
void draw_still(const Ui& ui, const Snapshot& snapshot, const std::string& id, ImVec2 size) {
    for (const Scene& scene : snapshot.scenes) {
        if (scene.id != id) continue;
        DrawingSpec drawing = scene.moments->front();
        drawing.note = scene.note;
        draw_drawing(ui, without_crowded_words(ui, std::move(drawing), size), size);
    }
}

// Sets the field of a handle.
void obey(const HandleUse& use, const Session& session, Asks& asks) {
    const DrawnHandle& handle = *use.handle;
    if (!session.settings().has(handle.field)) return;
    const FieldValue& now = session.settings().value(handle.field);
    if (handle.step <= 0.0) {
        asks(ask::Set{handle.field, static_cast<int64_t>(std::llround(use.value))});
    } else if (const auto* text = std::get_if<std::string>(&now)) {
        const auto value = use.reset ? std::nullopt : std::optional<double>(use.value);
        asks(ask::Set{handle.field, with_number(*text, handle.name, value)});
    }
}

}  // namespace

bool has_scene(const Session& session) { return session.snapshot() && !session.snapshot()->scenes.empty(); }

void ScenePanel::build(const Source& source) {
    const Scene before = std::exchange(scene_, source.snapshot->scenes.front());
    const bool same =
        before.moments && before.title == scene_.title && before.moments->size() == scene_.moments->size();
    if (!same) position_ = 0.0;
    if (source.other) add_other(scene_, *source.other);
    if (source.before && source.before != source.snapshot) add_before(scene_, *source.before);
    for (PlotSpec& plot : scene_.plots) {
        plot.highlighted_seed = source.highlighted_seed;
        for (const SeedStatus& seed : source.snapshot->seeds) plot.seeds.push_back(seed.seed);
        PlotState& state = states_[plot.id];
        state.invalidate();
        state.prepare(plot);
    }
}

void ScenePanel::advance(bool running, double seconds) {
    const auto last = static_cast<double>(scene_.moments->size() - 1);
    moving_ = last > 0.0 && scene_.moments_per_second > 0.0 && (running ? wanted_ : once_);
    if (!moving_) return;
    position_ += scene_.moments_per_second * std::min(seconds, kLongestFrame);
    if (position_ < last + 1.0) return;
    if (running) {
        position_ = 0.0;
    } else {
        position_ = last;
        once_ = moving_ = false;
    }
}

// Chooses one of the numbered scenes.
void ScenePanel::draw_chooser(const Context& context) {
    const auto& [ui, session, asks] = context;
    if (scene_.chosen_by.empty() || !session.settings().has(scene_.chosen_by)) return;
    const FieldInfo& field = session.settings().info(scene_.chosen_by);
    const int64_t number = session.settings().integer(scene_.chosen_by);
    const float side = ui.px(28);
    const auto lowest = static_cast<int64_t>(field.minimum), highest = static_cast<int64_t>(field.maximum);
    ImGui::SameLine(0.0F, ui.px(12));
    if (draw_button(ui, "scene previous", "◀", {side, 0}, "The task before it"))
        asks(ask::Set{scene_.chosen_by, number > lowest ? number - 1 : highest});
    ImGui::SameLine(0.0F, ui.px(4));
    if (draw_button(ui, "scene next", "▶", {side, 0}, "The task after it"))
        asks(ask::Set{scene_.chosen_by, number < highest ? number + 1 : lowest});
    ImGui::SameLine(0.0F, ui.px(6));
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s", fmt::format("{} {}", field.label, number).c_str());
}

// Goes to the moment before or after, and stops there.
void ScenePanel::draw_stepper(const Ui& ui, const char* name, const char* label, int by, const char* help) {
    const auto last = static_cast<double>(scene_.moments->size() - 1);
    if (draw_button(ui, name, label, {ui.px(26), 0}, help)) {
        position_ = std::clamp(std::floor(position_) + by, 0.0, last);
        wanted_ = once_ = false;
    }
    ImGui::SameLine(0.0F, ui.px(4));
}

void ScenePanel::draw_toolbar(const Context& context) {
    const auto& [ui, session, asks] = context;
    const bool running = session.live_snapshot()->status.state == RunState::running;
    const int count = static_cast<int>(scene_.moments->size());
    if (count > 1) {
        if (draw_button(
                ui, "scene play", moving_ ? "❚❚" : "▶", {ui.px(44), 0},
                moving_ ? "Stop at this moment" : "Play: on and on while the run trains, once while it rests")) {
            wanted_ = !moving_;
            once_ = !moving_ && !running;
            if (once_ && moment() + 1 >= scene_.moments->size()) position_ = 0.0;
        }
        ImGui::SameLine(0.0F, ui.px(8));
        draw_stepper(ui, "scene back", "\xe2\x80\xb9", -1, "One moment back");
        draw_stepper(ui, "scene on", "\xe2\x80\xba", 1, "One moment on: step by hand");
        ImGui::SetNextItemWidth(ui.px(112));
        int time = static_cast<int>(scene_.first_time) + static_cast<int>(moment());
        const int first = static_cast<int>(scene_.first_time);
        if (ImGui::SliderInt("##moment", &time, first, first + count - 1, "t = %d", ImGuiSliderFlags_AlwaysClamp)) {
            position_ = time - first;
            wanted_ = once_ = false;
        }
        note_item(ui, "scene moment", "Drag to look at a moment");
    }
    draw_chooser(context);
}

void ScenePanel::draw_plots(const Ui& ui, ImVec2 at, ImVec2 size) {
    const float gap = ui.px(8);
    const bool across = size.x > 2.5F * size.y;  // beside each other
    const auto count = static_cast<float>(scene_.plots.size());
    const auto share = [&](float length) { return std::floor((length - gap * (count - 1)) / count); };
    const ImVec2 each = across ? ImVec2(share(size.x), size.y) : ImVec2(size.x, share(size.y));
    const double time = scene_.first_time + static_cast<double>(moment());
    for (const PlotSpec& plot : scene_.plots) {
        ImGui::SetCursorScreenPos(at);
        draw_plot(ui, plot, states_.at(plot.id), each, time);
        (across ? at.x : at.y) += (across ? each.x : each.y) + gap;
    }
}

void ScenePanel::begin_frame(const Session& session, int highlighted_seed) {
    moving_ = false;
    if (!has_scene(session)) return;
    const Source source{session.snapshot(), session.other() ? session.other()->shown() : nullptr,
                        session.ghost() ? session.ghost()->snapshot : nullptr, highlighted_seed};
    built_.update(source, [&] { build(source); });
}

DrawingSpec ScenePanel::drawing_now(const Session& session) const {
    DrawingSpec drawing = (*scene_.moments)[std::min(moment(), scene_.moments->size() - 1)];
    drawing.note = scene_.note.empty() ? drawing.note : scene_.note;
    for (const DrawnHandle& handle : drawing.handles)
        if (const std::string why = session.refusal(handle.field); !why.empty()) drawing.readout = why;
    return drawing;
}

// Nothing if run B lacks this scene or moment, or if it looks like A's.
std::optional<DrawingSpec> ScenePanel::drawing_of_b() const {
    const std::shared_ptr<const Snapshot>& other = built_.source().other;
    if (!other) return std::nullopt;
    for (const Scene& scene : other->scenes) {
        if (scene.id != scene_.id || moment() >= scene.moments->size()) continue;
        DrawingSpec drawing = (*scene.moments)[moment()];
        if (drawing == (*scene_.moments)[std::min(moment(), scene_.moments->size() - 1)]) return std::nullopt;
        drawing.id += " B";
        drawing.title = "B: " + drawing.title;
        drawing.note = scene.note;
        return drawing;
    }
    return std::nullopt;
}

// Run B's drawing stands beside A's or below it, wherever they are larger. A handle of either changes both runs.
void ScenePanel::draw_picture(const Context& context, ImVec2 size, bool small) {
    const auto& [ui, session, asks] = context;
    DrawingSpec drawing = drawing_now(session);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImVec2 each = size;
    if (const auto of_b = drawing_of_b()) {
        const float space = ui.px(12);
        const ImVec2 beside(std::floor((size.x - space) / 2), size.y), below(size.x, std::floor((size.y - space) / 2));
        const bool wide = scale_fitting(drawing, beside) >= scale_fitting(drawing, below);
        each = wide ? beside : below;
        ImGui::SetCursorScreenPos(wide ? ImVec2(at.x + each.x + space, at.y) : ImVec2(at.x, at.y + each.y + space));
        if (const auto use = draw_drawing(ui, *of_b, each)) obey(*use, session, asks);
        ImGui::SetCursorScreenPos(at);
        drawing.title = "A: " + drawing.title;
    }
    if (small) drawing = without_crowded_words(ui, std::move(drawing), each);
    if (const auto use = draw_drawing(ui, drawing, each)) obey(*use, session, asks);
}

void ScenePanel::draw(const Context& context, const std::string& id, ImVec2 size, bool small) {
    const auto& [ui, session, asks] = context;
    if (!has_scene(session)) return;
    if (id != scene_.id) return draw_still(ui, *session.snapshot(), id, size);
    advance(session.live_snapshot()->status.state == RunState::running, static_cast<double>(ImGui::GetIO().DeltaTime));
    if (small) return draw_picture(context, size, true);
    ImGui::BeginChild("scene", size, false,
                      ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    if (!ui.presenting) draw_toolbar(context);
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float gap = scene_.plots.empty() ? 0.0F : ui.px(12);
    const auto [picture, wide] =
        scene_.plots.empty() ? std::pair(room, false) : place_picture(ui, drawing_now(session), room, gap);
    draw_picture(context, picture, false);
    if (wide)
        draw_plots(ui, {at.x + picture.x + gap, at.y}, {room.x - picture.x - gap, room.y});
    else if (!scene_.plots.empty())
        draw_plots(ui, {at.x, at.y + picture.y + gap}, {room.x, room.y - picture.y - gap});
    ImGui::EndChild();
}

std::vector<SceneMoment> ScenePanel::shown() const {
    if (!scene_.moments) return {};
    Scene scene = scene_;
    for (PlotSpec& plot : scene.plots) plot = states_.at(plot.id).shown();
    return {moment_of(scene, moment())};
}

}  // namespace emergence
