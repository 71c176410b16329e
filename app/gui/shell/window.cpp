#include "app/gui/shell/window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <imgui.h>

#include <string_view>

#include "app/gui/shell/window_painter.h"

// This include comes last because of X's macros.
#include <GL/glx.h>
#undef KeyPress

// Declared here because GLFW's own header for it needs a header that the package lacks.
extern "C" ::Window glfwGetX11Window(GLFWwindow* window);

namespace emergence {
namespace {

constexpr int kTrailingFrames = 3;           // ImGui needs a few frames to settle after an event
constexpr double kInputInterval = 1.0 / 60;  // least seconds between frames while input arrives
constexpr double kNewsInterval = 1.0 / 30;   // the same while only training goes on and frames are slow
constexpr double kDrawingShare = 0.67;       // share of the time for drawing if frames are fast
constexpr double kBlinkInterval = 0.25;      // for the blinking text cursor

std::string last_glfw_error() {
    const char* text = nullptr;
    glfwGetError(&text);
    return text != nullptr ? text : "no reason given";
}

ScreenRoom room_of(GLFWmonitor* monitor) {
    ScreenRoom room;
    glfwGetMonitorWorkarea(monitor, &room.x, &room.y, &room.width, &room.height);
    return room;
}

// The room of the monitor that holds the corner; nullopt if that monitor is gone.
std::optional<ScreenRoom> room_at(std::pair<int, int> corner) {
    constexpr int kGrip = 80;  // this much of the title bar must stay in reach
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    for (int i = 0; i < count; ++i) {
        const ScreenRoom room = room_of(monitors[i]);
        const auto [right, down] = std::pair(corner.first - room.x, corner.second - room.y);
        if (right >= 0 && down >= 0 && right + kGrip <= room.width && down + kGrip <= room.height) return room;
    }
    return std::nullopt;
}

// At the first start the screen is unknown, and later the screen may be another one.
WindowPlace on_the_screen(WindowPlace place, bool exact_size, const std::array<int, 4>& border) {
    std::optional<ScreenRoom> room = place.corner ? room_at(*place.corner) : std::nullopt;
    if (!room) {
        place.corner.reset();
        GLFWmonitor* primary = glfwGetPrimaryMonitor();
        if (primary == nullptr) return place;
        room = room_of(primary);
    }
    return exact_size ? place : fitted(place, *room, border);
}

// The monitor that shows most of the window; null if there is none.
GLFWmonitor* monitor_of(GLFWwindow* window) {
    int left = 0, top = 0, width = 0, height = 0, count = 0;
    glfwGetWindowPos(window, &left, &top);
    glfwGetWindowSize(window, &width, &height);
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    GLFWmonitor* best = count > 0 ? monitors[0] : nullptr;
    int most = 0;
    for (int i = 0; i < count; ++i) {
        int x = 0, y = 0;
        glfwGetMonitorPos(monitors[i], &x, &y);
        const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
        const int wide = std::min(left + width, x + mode->width) - std::max(left, x);
        const int high = std::min(top + height, y + mode->height) - std::max(top, y);
        if (std::max(0, wide) * std::max(0, high) <= most) continue;
        most = wide * high;
        best = monitors[i];
    }
    return best;
}

// Shows only a part of what has been drawn.
class PartialSwap {
  public:
    /// Looks for the extension in the current context. Returns null if the display lacks it, or if hardware draws,
    /// which needs no parts.
    static std::unique_ptr<PartialSwap> find(GLFWwindow* window);
    /// True if the back buffer has this size and holds the previous frame. Otherwise draw a whole frame between
    /// begin_whole() and end_whole() and swap.
    bool holds(int width, int height) const { return known_ && width_ == width && height_ == height; }
    /// True if the buffers must be swapped first, because only that gives them the window's new size.
    bool begin_whole();
    void end_whole(int width, int height);
    /// Copies pixels from the back buffer to the front, counted from the lower left. A box beyond the buffer would be
    /// an X error, which ends the program.
    void show(int x, int y, int width, int height);

  private:
    void measure();

    void (*copy_)() = nullptr;
    unsigned long window_ = 0;    // X's number of the window
    int width_ = 0, height_ = 0;  // size of the window before the frame
    bool swapped_ = false;        // swapped since a part was last shown
    bool known_ = false;
};

std::unique_ptr<PartialSwap> PartialSwap::find(GLFWwindow* window) {
    Display* display = glXGetCurrentDisplay();
    if (display == nullptr) return nullptr;
    const auto* renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    const char* extensions = glXQueryExtensionsString(display, DefaultScreen(display));
    if (renderer == nullptr || extensions == nullptr) return nullptr;
    if (std::string_view(renderer).find("llvmpipe") == std::string_view::npos) return nullptr;
    if (std::string_view(extensions).find("GLX_MESA_copy_sub_buffer") == std::string_view::npos) return nullptr;
    auto* copy = glXGetProcAddress(reinterpret_cast<const GLubyte*>("glXCopySubBufferMESA"));
    if (copy == nullptr) return nullptr;
    auto found = std::make_unique<PartialSwap>();
    found->copy_ = copy;
    found->window_ = glfwGetX11Window(window);
    return found;
}

// The size that X knows, which may be ahead of the events received.
void PartialSwap::measure() {
    ::Window root = 0;
    int x = 0, y = 0;
    unsigned width = 0, height = 0, border = 0, depth = 0;
    XGetGeometry(glXGetCurrentDisplay(), window_, &root, &x, &y, &width, &height, &border, &depth);
    width_ = static_cast<int>(width);
    height_ = static_cast<int>(height);
}

bool PartialSwap::begin_whole() {
    known_ = false;
    measure();
    return !swapped_;
}

void PartialSwap::end_whole(int width, int height) {
    swapped_ = true;
    const auto [before, before_high] = std::pair(width_, height_);
    measure();
    known_ = before == width && before_high == height && width_ == width && height_ == height;
}

void PartialSwap::show(int x, int y, int width, int height) {
    swapped_ = false;
    const auto copy = reinterpret_cast<PFNGLXCOPYSUBBUFFERMESAPROC>(copy_);
    copy(glXGetCurrentDisplay(), glXGetCurrentDrawable(), x, y, width, height);
}

}  // namespace

struct Window::Parts {
    GLFWwindow* window = nullptr;
    std::string title;
    WindowPlace place;  // the last place without maximising
    Ui ui;
    std::unique_ptr<Painter> painter;
    std::unique_ptr<PartialSwap> swap;  // null if every frame is drawn whole
    bool was_in_parts = false;          // the previous frame was drawn in parts
    WidgetLog log;
    std::vector<KeyPress> keys;
    std::vector<std::filesystem::path> dropped;
    KeyEvents events;  // for Dear ImGui
    KeysDown down;
    FrameTimes timing;
    double frame_start = 0.0;
    std::optional<ImVec2> rests_at;  // where the pointer was when the window opened
    bool moved = false;
    int trailing = kTrailingFrames;
    bool input = false;
    std::atomic<bool> woken = false;
    const std::atomic<bool>* leave = nullptr;

    static Parts& of(GLFWwindow* window) { return *static_cast<Parts*>(glfwGetWindowUserPointer(window)); }
    void install_callbacks();
    void lose_frame();
    void on_key(int key, int scancode, int event, int modifiers);
    void start_imgui();
    void follow(const Look& look);
    void note_place();
    void ignore_resting_pointer();
    PixelImage draw(ImDrawData& data, bool photograph);
};

void Window::Parts::lose_frame() {
    input = true;
    painter->forget();
}

// If the layout needs Shift for a digit, the key counts as the digit without Shift.
int modifiers_without_digits_shift(int key, const char* name, int modifiers) {
    const bool digit = key >= GLFW_KEY_0 && key <= GLFW_KEY_9;
    const bool needs_shift = digit && name != nullptr && (name[0] < '0' || name[0] > '9');
    return needs_shift ? modifiers & ~GLFW_MOD_SHIFT : modifiers;
}

// ImGui receives keys translated by the layout.
void Window::Parts::on_key(int key, int scancode, int event, int modifiers) {
    input = true;
    const char* name = glfwGetKeyName(key, scancode);
    const int meant = down.follow(key, name, event != GLFW_RELEASE);
    if (event != GLFW_REPEAT && meant >= 0) events.add({meant, event == GLFW_PRESS, modifiers});
    if (event == GLFW_RELEASE) return;
    const int counted = modifiers_without_digits_shift(key, name, modifiers);
    keys.push_back({counted == modifiers ? meant : key, counted, event == GLFW_REPEAT, ImGui::GetIO().WantTextInput});
}

// These callbacks are set before ImGui's, which call them. Those for keys and characters follow later.
void Window::Parts::install_callbacks() {
    glfwSetWindowUserPointer(window, this);
    glfwSetCursorPosCallback(window, [](GLFWwindow* w, double, double) { of(w).input = true; });
    glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int) { of(w).input = true; });
    glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int, int, int) { of(w).input = true; });
    glfwSetScrollCallback(window, [](GLFWwindow* w, double, double) { of(w).input = true; });
    glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int) { of(w).input = true; });
    glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { of(w).lose_frame(); });
    glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
        of(w).input = true;
        of(w).dropped.insert(of(w).dropped.end(), paths, paths + count);
    });
    glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { of(w).lose_frame(); });
}

void Window::Parts::start_imgui() {
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.MouseDoubleClickTime = 0.5F;  // as desktops have it, because frames of a busy machine are long
    ImGui_ImplGlfw_InitForOpenGL(window, true);
    glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int scancode, int event, int modifiers) {
        of(w).on_key(key, scancode, event, modifiers);
    });
    glfwSetCharCallback(window, [](GLFWwindow* w, unsigned character) {
        of(w).input = true;
        of(w).events.add({.character = character});
    });
}

// Call it between frames.
void Window::Parts::follow(const Look& look) {
    int width = 0, height = 0;
    glfwGetWindowSize(window, &width, &height);
    if (width <= 0 || height <= 0) return;
    float content = 1.0F;
    glfwGetWindowContentScale(window, &content, nullptr);
    if (apply_look(ui, look, {static_cast<float>(width), static_cast<float>(height)}, content)) painter->take_glyphs();
    ImGui::GetStyle().AntiAliasedLinesUseTex = false;  // the atlas is not smoothed
}

// Until it moves, a pointer that happens to rest over the new window points at nothing.
void Window::Parts::ignore_resting_pointer() {
    ImGuiIO& io = ImGui::GetIO();
    if (moved || !ImGui::IsMousePosValid(&io.MousePos)) return;
    if (!rests_at) rests_at = io.MousePos;
    const bool pressed = std::find(std::begin(io.MouseDown), std::end(io.MouseDown), true) != std::end(io.MouseDown);
    moved = pressed || io.MousePos.x != rests_at->x || io.MousePos.y != rests_at->y;
    if (!moved) io.MousePos = {-FLT_MAX, -FLT_MAX};
}

void Window::Parts::note_place() {
    if (glfwGetWindowMonitor(window) != nullptr) return;
    place.maximised = glfwGetWindowAttrib(window, GLFW_MAXIMIZED) == GLFW_TRUE;
    if (place.maximised || glfwGetWindowAttrib(window, GLFW_ICONIFIED) == GLFW_TRUE) return;
    glfwGetWindowSize(window, &place.width, &place.height);
    int x = 0, y = 0;
    glfwGetWindowPos(window, &x, &y);
    place.corner = {x, y};
}

// The cost of software rendering grows with the pixels, so only changed parts are drawn and shown if the display can do
// that.
PixelImage Window::Parts::draw(ImDrawData& data, bool photograph) {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window, &width, &height);
    const bool in_parts = swap != nullptr && swap->holds(width, height);
    if (!in_parts && swap != nullptr && swap->begin_whole()) glfwSwapBuffers(window);
    if (!in_parts || !was_in_parts) painter->forget();
    was_in_parts = in_parts;
    const auto& boxes = painter->paint(data, width, height, ImGui::ColorConvertU32ToFloat4(ui.colors.panel));
    PixelImage frame;
    if (photograph) frame = Painter::read(width, height);
    if (in_parts) {
        for (const PixelBox& box : boxes)
            swap->show(box.left, height - box.bottom, box.right - box.left, box.bottom - box.top);
    } else {
        glfwSwapBuffers(window);
        if (swap != nullptr) swap->end_whole(width, height);
    }
    return frame;
}

Window::Window(const Options& options) : parts_(std::make_unique<Parts>()) {
    if (glfwInit() != GLFW_TRUE) throw NoDisplayError("no display: " + last_glfw_error());
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    // The program uses no depth; without these buffers software rendering is a tenth cheaper.
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    WindowPlace place = on_the_screen(options.place, options.exact_size, {});
    glfwWindowHint(GLFW_MAXIMIZED, place.maximised ? GLFW_TRUE : GLFW_FALSE);
    parts_->window = glfwCreateWindow(place.width, place.height, "Emergence", nullptr, nullptr);
    if (parts_->window == nullptr) {
        const std::string reason = last_glfw_error();
        glfwTerminate();
        throw NoDisplayError("no window with OpenGL 3.3: " + reason);
    }
    std::array<int, 4> border{};
    glfwGetWindowFrameSize(parts_->window, &border[0], &border[1], &border[2], &border[3]);
    place = on_the_screen(place, options.exact_size, border);
    parts_->place = place;
    if (!place.maximised) glfwSetWindowSize(parts_->window, place.width, place.height);
    if (place.corner && !place.maximised) glfwSetWindowPos(parts_->window, place.corner->first, place.corner->second);
    glfwSetWindowSizeLimits(parts_->window, kSmallestWidth, kSmallestHeight, GLFW_DONT_CARE, GLFW_DONT_CARE);
    glfwMakeContextCurrent(parts_->window);
    glfwSwapInterval(0);  // the frame limiter below also works where vertical sync does nothing
    parts_->install_callbacks();
    parts_->start_imgui();
    parts_->painter = std::make_unique<Painter>();
    parts_->swap = PartialSwap::find(parts_->window);
    parts_->ui.textures = parts_->painter.get();
    parts_->leave = options.leave;
    if (options.log_widgets) parts_->ui.log = &parts_->log;
}

Window::~Window() {
    parts_->painter.reset();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
    glfwDestroyWindow(parts_->window);
    glfwTerminate();
}

void Window::set_full_screen(bool on) {
    if (on == (glfwGetWindowMonitor(parts_->window) != nullptr)) return;
    if (!on) {
        const WindowPlace& place = parts_->place;
        const auto [x, y] = place.corner.value_or(std::pair(0, 0));
        glfwSetWindowMonitor(parts_->window, nullptr, x, y, place.width, place.height, GLFW_DONT_CARE);
        if (place.maximised) glfwMaximizeWindow(parts_->window);
        return;
    }
    parts_->note_place();
    GLFWmonitor* monitor = monitor_of(parts_->window);
    if (monitor == nullptr) return;
    const GLFWvidmode* mode = glfwGetVideoMode(monitor);
    glfwSetWindowMonitor(parts_->window, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

void Window::set_title(const std::string& title) {
    if (title == parts_->title) return;
    parts_->title = title;
    glfwSetWindowTitle(parts_->window, title.c_str());
}

void Window::wake() {
    parts_->woken = true;
    glfwPostEmptyEvent();
}

bool Window::wait_for_frame(double longest) {
    Parts& p = *parts_;
    const double deadline = glfwGetTime() + (ImGui::GetIO().WantTextInput ? kBlinkInterval : longest);
    glfwPollEvents();
    while (!closing()) {
        if (p.input) p.trailing = kTrailingFrames;
        p.input = false;
        const double now = glfwGetTime();
        const bool due = p.trailing > 0 || p.woken;
        const double news = std::clamp(1e-3 * static_cast<double>(p.timing.timing().frame_ms) / kDrawingShare,
                                       kInputInterval, kNewsInterval);
        const double next = p.frame_start + (p.trailing > 0 ? kInputInterval : news);
        if (due && now >= next) break;
        if (!due && now >= deadline) return ImGui::GetIO().WantTextInput;
        glfwWaitEventsTimeout(std::max(0.0005, (due ? next : deadline) - now));
    }
    p.woken = false;
    p.trailing = std::max(0, p.trailing - 1);
    return true;
}

std::vector<KeyPress> Window::take_keys() { return std::exchange(parts_->keys, {}); }

std::vector<std::filesystem::path> Window::take_dropped() { return std::exchange(parts_->dropped, {}); }

const Ui& Window::begin_frame(const Look& look) {
    Parts& p = *parts_;
    p.frame_start = glfwGetTime();
    p.follow(look);
    ImGui_ImplGlfw_NewFrame();
    p.ignore_resting_pointer();
    for (const KeyEvent& event : p.events.take())
        if (event.character != 0)
            ImGui::GetIO().AddInputCharacter(event.character);
        else
            ImGui_ImplGlfw_KeyCallback(p.window, event.key, 0, event.down ? GLFW_PRESS : GLFW_RELEASE, event.modifiers);
    p.input = p.input || !p.events.empty();
    ImGui::NewFrame();
    return p.ui;
}

PixelImage Window::end_frame(bool photograph) {
    Parts& p = *parts_;
    ImGui::Render();
    const PixelImage frame = p.draw(*ImGui::GetDrawData(), photograph);
    p.timing.note(p.frame_start, glfwGetTime());
    return frame;
}

const Timing& Window::timing() const { return parts_->timing.timing(); }

WindowPlace Window::place() const {
    parts_->note_place();
    return parts_->place;
}

bool Window::hidden() const { return glfwGetWindowAttrib(parts_->window, GLFW_ICONIFIED) == GLFW_TRUE; }

bool Window::closing() const {
    if (parts_->leave != nullptr && *parts_->leave) return true;
    return glfwWindowShouldClose(parts_->window) == GLFW_TRUE;
}

}  // namespace emergence
