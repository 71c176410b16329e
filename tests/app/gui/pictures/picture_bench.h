#pragma once
// The program's window, drawn to a picture instead of a screen: the registry's experiments, the real training
// loop, session and workbench, and the rasteriser in place of OpenGL.

#include "app/gui/options.h"
#include "app/gui/session/session.h"
#include "app/gui/workbench.h"
#include "tests/app/gui/null_gui.h"
#include "tests/app/gui/pictures/rasteriser.h"

namespace emergence::testing {

class PictureBench {
  public:
    /// Opens what `options` name, as the program does with --paused and without preferences, on `threads`
    /// threads, and goes to the step that they name, or else to the first moment after step 0 that the
    /// experiment logs: its curves have a line then. Its clock stands still, so that no time, rate or
    /// duration in the window differs from one run to the next.
    explicit PictureBench(const Options& options, int threads = 1);
    /// The same of a preset.
    explicit PictureBench(const std::string& preset, int threads = 1);

    /// The window in this theme once it has settled.
    PixelImage picture(Theme theme);
    /// Lays the window out at this size, in a presentation or not; nothing is drawn.
    void lay_out(ImVec2 size, bool presenting);
    const Session& session() const { return *session_; }
    Workbench& workbench() { return workbench_; }
    NullGui& gui() { return gui_; }
    bool drawn(const std::string& widget) const { return gui_.log().drawn(widget); }
    const WidgetLog::Place& place(const std::string& widget) const { return gui_.log().place(widget); }
    ImVec2 centre(const std::string& widget) const { return gui_.log().centre(widget); }
    void frames(int count);
    void act(Action action) { workbench_.act(action, *session_); }
    void answer(const Ask& ask) { workbench_.answer(ask, *session_); }
    void press(const KeyPress& key) { workbench_.press(key, *session_); }

  private:
    PixelTextureStore textures_;
    NullGui gui_;
    Jobs jobs_;
    std::unique_ptr<Session> session_;
    Workbench workbench_;
};

}  // namespace emergence::testing
