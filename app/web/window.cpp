// The window of a page: a canvas with WebGL 2. Declared in app/gui/shell/window.h.
#include "app/gui/shell/window.h"

#include <GLES3/gl3.h>
#include <emscripten.h>
#include <emscripten/html5.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <deque>
#include <utility>

#include "app/gui/shell/clock.h"
#include "app/gui/shell/desktop.h"
#include "app/gui/shell/theme.h"
#include "app/gui/shell/window_painter.h"
#include "app/web/page_input.h"

namespace emergence {
namespace {

constexpr const char* kCanvas = "#canvas";
constexpr int kFramesAfterInput = 3;    // ImGui needs a few to settle after an event
constexpr double kNewsSeconds = 0.025;  // seconds between frames while only training goes on
constexpr double kBlinkSeconds = 0.25;  // for the blinking text cursor

// The cursor names of CSS, in ImGui's order.
constexpr const char* kCursors[] = {"default",     "text",        "move",    "ns-resize",  "ew-resize",
                                    "nesw-resize", "nwse-resize", "pointer", "not-allowed"};

}  // namespace

struct Window::Parts {
    EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context = 0;
    std::string title;
    bool full_screen = false;
    WindowPlace place;
    Ui ui;
    std::unique_ptr<PageInput> input;
    std::unique_ptr<Painter> painter;
    WidgetLog log;
    FrameTimes timing;
    double frame_start = 0.0;
    int trailing = kFramesAfterInput;
    int cursor = -2;
    std::atomic<bool> woken = false;
    const std::atomic<bool>* leave = nullptr;

    void follow(const Look& look);
    void show_cursor();
};

Window::Window(const Options& options) : parts_(std::make_unique<Parts>()) {
    EmscriptenWebGLContextAttributes attributes;
    emscripten_webgl_init_context_attributes(&attributes);
    attributes.majorVersion = 2;
    attributes.alpha = attributes.depth = attributes.stencil = attributes.antialias = EM_FALSE;
    attributes.preserveDrawingBuffer = EM_TRUE;
    parts_->context = emscripten_webgl_create_context(kCanvas, &attributes);
    if (parts_->context <= 0) throw NoDisplayError("this browser does not offer WebGL 2");
    emscripten_webgl_make_context_current(parts_->context);
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().LogFilename = nullptr;
    parts_->painter = std::make_unique<Painter>();
    parts_->place = options.place;
    parts_->leave = options.leave;
    parts_->input = std::make_unique<PageInput>();
    parts_->ui.textures = parts_->painter.get();
    if (options.log_widgets) parts_->ui.log = &parts_->log;
    EM_ASM({ Module.windowOpened(); });  // the page reports its size
}

Window::~Window() {
    parts_->painter.reset();
    parts_->input.reset();
    ImGui::DestroyContext();
    emscripten_webgl_destroy_context(parts_->context);
}

void Window::set_title(const std::string& title) {
    if (title == parts_->title) return;
    parts_->title = title;
    emscripten_set_window_title(title.c_str());
}

// Browsers allow it only for some seconds after a key or a click.
void Window::set_full_screen(bool on) {
    if (on == parts_->full_screen) return;
    parts_->full_screen = on;
    EM_ASM(
        {
            if ($0)
                document.documentElement.requestFullscreen();
            else if (document.fullscreenElement)
                document.exitFullscreen();
        },
        on);
}

void Window::wake() { parts_->woken = true; }

// The browser asks for frames at its display's rate.
bool Window::wait_for_frame(double) {
    Parts& p = *parts_;
    if (p.input->width <= 0 || p.input->height <= 0) return false;
    if (p.input->take_news()) p.trailing = kFramesAfterInput;
    const double since = seconds_now() - p.frame_start;
    const bool blinks = ImGui::GetIO().WantTextInput && since >= kBlinkSeconds;
    if (p.trailing == 0 && !blinks && !(p.woken && since >= kNewsSeconds)) return false;
    p.woken = false;
    p.trailing = std::max(0, p.trailing - 1);
    return true;
}

std::vector<KeyPress> Window::take_keys() { return std::exchange(parts_->input->keys, {}); }

std::vector<std::filesystem::path> Window::take_dropped() { return std::exchange(parts_->input->dropped, {}); }

// Call it between frames.
void Window::Parts::follow(const Look& look) {
    const auto [width, height] = std::pair(input->width, input->height);
    int was_width = 0;
    int was_height = 0;
    emscripten_get_canvas_element_size(kCanvas, &was_width, &was_height);
    if (was_width != width || was_height != height) emscripten_set_canvas_element_size(kCanvas, width, height);
    const ImVec2 size{static_cast<float>(width), static_cast<float>(height)};
    if (apply_look(ui, look, size, input->content_scale)) painter->take_glyphs();
    ImGui::GetStyle().AntiAliasedLinesUseTex = false;  // the atlas is not smoothed
}

void Window::Parts::show_cursor() {
    const int wanted = ImGui::GetMouseCursor();
    if (wanted == cursor) return;
    cursor = wanted;
    const bool known = wanted >= 0 && wanted < static_cast<int>(std::size(kCursors));
    EM_ASM({ Module.canvas.style.cursor = UTF8ToString($0); }, known ? kCursors[wanted] : "none");
}

const Ui& Window::begin_frame(const Look& look) {
    Parts& p = *parts_;
    const double now = seconds_now();
    ImGuiIO& io = ImGui::GetIO();
    io.DeltaTime =
        p.frame_start > 0.0 ? std::clamp(static_cast<float>(now - p.frame_start), 1e-4F, 1.0F) : 1.0F / 60.0F;
    p.frame_start = now;
    p.follow(look);
    p.input->apply(io);
    ImGui::NewFrame();
    p.input->release_taps();
    return p.ui;
}

PixelImage Window::end_frame(bool photograph) {
    Parts& p = *parts_;
    ImGui::Render();
    p.show_cursor();
    p.painter->paint(*ImGui::GetDrawData(), p.input->width, p.input->height,
                     ImGui::ColorConvertU32ToFloat4(p.ui.colors.panel));
    PixelImage frame;
    if (photograph) frame = Painter::read(p.input->width, p.input->height);

    p.timing.note(p.frame_start, seconds_now());
    return frame;
}

const Timing& Window::timing() const { return parts_->timing.timing(); }

// A page has no place on the screen, so the stored place of the desktop's window stays.
WindowPlace Window::place() const { return parts_->place; }

// The browser asks for no frames of a hidden page.
bool Window::hidden() const { return false; }

bool Window::closing() const { return parts_->leave != nullptr && *parts_->leave; }

// Replaces app/gui/shell/desktop.cpp: the page's own fonts with Dear ImGui's rasteriser, and the browser's dialog for
// files.

FontFile font_file(FontStyle style) {
    constexpr std::array kNames = {"regular", "bold", "mono", "slanted"};
    return {std::string("/fonts/") + kNames[static_cast<size_t>(style)] + ".ttf", 0};
}

void choose_rasteriser(ImFontAtlas&) {}

DesktopFileDialog::DesktopFileDialog(Jobs& jobs, const std::string&) : jobs_(jobs), words_{"browser"} {}

// Chosen files arrive as if they were dropped on the page.
void DesktopFileDialog::open(bool folders, Chosen) {
    EM_ASM({ Module.chooseFiles($0); }, folders ? 1 : 0);
}

}  // namespace emergence
