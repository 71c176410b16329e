#include "app/gui/workbench.h"

#include "app/gui/panels/emerged.h"
#include "app/gui/panels/panel.h"
#include "app/gui/panels/settings.h"
#include "app/gui/panels/status.h"
#include "app/gui/panels/transport.h"

namespace emergence {

void Workbench::draw(const Ui& ui, Session& session, const Timing& timing) {
    if (!ImGui::IsAnyItemActive()) session.end_gesture();
    layout_ = make_layout(ImGui::GetIO().DisplaySize, ui.scale, static_cast<int>(session.banners().size()),
                          transport_height(ui, session));
    draw_gaps(ui, layout_.all(), ui.px(8));
    draw_transport(ui, layout_.transport, session);
    draw_settings(ui, layout_.settings, session);
    draw_banners(ui, layout_.banner, session);
    draw_emerged(ui, layout_.emerged, session, matrices_.seed_index());
    matrices_.draw(ui, layout_.matrices, session);
    curves_.draw(ui, layout_.curves, session);
    draw_status(ui, layout_.status, session);
    draw_help(ui, session, timing, help_open_);
    if (timing_open_) draw_timing(ui, session, timing);
}

void Workbench::act(Action action, Session& session) {
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
        case Action::toggle_theme:
            theme_ = theme_ == Theme::dark ? Theme::light : Theme::dark;
            break;
        case Action::toggle_help:
            help_open_ = !help_open_;
            break;
        case Action::toggle_timing:
            timing_open_ = !timing_open_;
            break;
        case Action::close_overlay:
            help_open_ = timing_open_ = false;
            break;
        case Action::undo:
            session.undo();
            break;
        case Action::redo:
            session.redo();
            break;
    }
}

}  // namespace emergence
