// What keys and buttons do.
#include <imgui_internal.h>
#include <algorithm>
#include <cmath>

#include "app/gui/panels/scene.h"
#include "app/gui/session/state_text.h"
#include "app/gui/workbench.h"

namespace emergence {

void Workbench::enlarge_next(const Session& session) {
    if (!enlarged_)
        enlarged_ = PanelName::matrices;
    else if (*enlarged_ == PanelName::matrices)
        enlarged_ = PanelName::curves;
    else if (*enlarged_ == PanelName::curves && has_scene(session))
        enlarged_ = PanelName::scene;
    else
        enlarged_.reset();
}

void Workbench::scale_by(int tenths) {
    const float wanted = std::round(look().ui_scale * 10.0F) + static_cast<float>(tenths);
    preferences_.look.ui_scale = std::clamp(wanted / 10.0F, kSmallestUiScale, kLargestUiScale);
}

// Of the setting that has the keys; where none has them, of what leads through the picture.
void Workbench::adjust(int steps, Session& session) {
    if (editing_.has_keys()) {
        editing_.adjust(steps);
        return;
    }
    if (!session.snapshot()) return;
    const Stepping& through = session.snapshot()->stepping;
    if (through.field.empty() || !session.settings().has(through.field)) return;
    const int64_t now = std::clamp(session.settings().integer(through.field), through.first, through.last);
    session.set_field(through.field, std::clamp(now + steps, through.first, through.last));
    session.end_gesture();
}

void Workbench::close_top() {
    if (popup_open_)
        close_popups_ = true;
    else if (runs_.asks())
        runs_.stay();
    else if (preferences_open_)
        preferences_open_ = false;
    else if (handbook_.is_open())
        handbook_.close();
    else if (timing_open_)
        timing_open_ = false;
    else if (editing_.leave() || matrices_.deselect())
        return;
    else if (close_sheet())
        return;
    else if (files_.export_open())
        files_.close_export();
    else if (enlarged_)
        enlarged_.reset();
    else
        preferences_.look.presenting = false;
}

// What lies over the panels, the last of them first.
bool Workbench::close_sheet() {
    if (bookmarks_.is_open()) {
        bookmarks_.close();
        return true;
    }
    if (runs_panel_.is_open()) {
        runs_panel_.close();
        return true;
    }
    const bool open = phase_diagram_.is_open();
    phase_diagram_.close();
    return open;
}

void Workbench::open_handbook(const std::string& link) {
    if (link.empty())
        handbook_.open();
    else
        handbook_.open(link);
}

// The term under the pointer is explained at once, wherever the handbook was left.
void Workbench::toggle_handbook() {
    const handbook::Term* term = terms_.term();
    if (term != nullptr)
        open_handbook(term->page);
    else if (handbook_.is_open())
        handbook_.close();
    else
        handbook_.open();
}

bool Workbench::covers(Action action) const {
    if (!popup_open_ && !bookmarks_.is_open() && !runs_panel_.is_open() && !phase_diagram_.is_open())
        return false;
    switch (action) {
        case Action::run_or_pause:
        case Action::step:
        case Action::reset:
        case Action::new_seed:
        case Action::compare:
        case Action::pin_first:
        case Action::pin_second:
        case Action::minus_pin:
        case Action::toggle_theme:
        case Action::enlarge:
        case Action::present:
        case Action::reset_field:
            return true;
        default:
            return false;
    }
}

void Workbench::act(Action action, Session& session) {
    if (covers(action) || handbook_.act(action)) return;
    switch (action) {
        case Action::run_or_pause:
            session.toggle_running();
            break;
        case Action::step:
            session.step_once();
            break;
        case Action::reset:
            session.reset();
            break;
        case Action::new_seed:
            session.new_seed();
            break;
        case Action::faster:
            session.change_pace(1);
            break;
        case Action::slower:
            session.change_pace(-1);
            break;
        case Action::next_view:
            matrices_.next_mode();
            break;
        case Action::next_spread:
            curves_.next_spread();
            break;
        case Action::fit_all:
            curves_.fit_all();
            break;
        case Action::toggle_theme:
            preferences_.look.theme = look().theme == Theme::dark ? Theme::light : Theme::dark;
            break;
        case Action::toggle_help:
            toggle_handbook();
            preferences_open_ = false;
            break;
        case Action::page_back:
        case Action::page_forward:
            break;  // the handbook's own
        case Action::toggle_preferences:
            preferences_open_ = !preferences_open_;
            break;
        case Action::toggle_timing:
            timing_open_ = !timing_open_;
            break;
        case Action::close_overlay:
            close_top();
            break;
        case Action::enlarge:
            enlarge_next(session);
            break;
        case Action::next_field:
            editing_.move(1);
            break;
        case Action::previous_field:
            editing_.move(-1);
            break;
        case Action::field_up:
            adjust(1, session);
            break;
        case Action::field_down:
            adjust(-1, session);
            break;
        case Action::field_far_up:
            adjust(10, session);
            break;
        case Action::field_far_down:
            adjust(-10, session);
            break;
        case Action::type_field:
            editing_.type();
            break;
        case Action::reset_field:
            editing_.reset();
            break;
        case Action::search:
            enlarged_.reset();
            preferences_.look.presenting = false;
            settings_.search();
            break;
        case Action::larger:
            scale_by(1);
            break;
        case Action::smaller:
            scale_by(-1);
            break;
        case Action::standard_size:
            preferences_.look.ui_scale = 1.0F;
            break;
        case Action::present:
            preferences_.look.presenting = !preferences_.look.presenting;
            break;
        case Action::export_figures:
            if (files_.export_open())
                files_.close_export();
            else
                files_.open_export();
            break;
        case Action::save_run:
            runs_.save(session);
            break;
        case Action::open_runs:
            if (runs_panel_.is_open())
                runs_panel_.close();
            else
                runs_panel_.open();
            break;
        case Action::bookmarks:
            if (bookmarks_.is_open())
                bookmarks_.close();
            else
                bookmarks_.open(title(session));
            break;
        case Action::copy_state:
            ImGui::SetClipboardText(state_text(session, view_values()).c_str());
            toasts_.add("The clipboard holds the window's state as text");
            break;
        case Action::paste_state: {
            const char* text = ImGui::GetClipboardText();
            door_.open_text(text != nullptr ? text : "", "the pasted text", session);
            break;
        }
        case Action::phase_diagram:
            if (phase_diagram_.is_open())
                phase_diagram_.close();
            else
                phase_diagram_.open(session);
            break;
        case Action::screenshot:
            photograph_ = true;
            break;
        case Action::undo:
            session.undo();
            break;
        case Action::redo:
            session.redo();
            break;
        case Action::time_back:
            session.move_in_time(-1);
            break;
        case Action::time_forward:
            session.move_in_time(1);
            break;
        case Action::time_first:
            session.show_step(0);
            break;
        case Action::time_live:
            session.show_live();
            break;
        case Action::time_play:
            session.toggle_playing();
            break;
        case Action::pin_first:
            session.toggle_pin(0);
            break;
        case Action::pin_second:
            session.toggle_pin(1);
            break;
        case Action::minus_pin:
            session.toggle_minus_pin();
            break;
        case Action::compare:
            session.toggle_compare();
            break;
    }
}

}  // namespace emergence
