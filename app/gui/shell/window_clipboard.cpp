#include "app/gui/shell/window_clipboard.h"

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <imgui.h>
#include <poll.h>

#include <chrono>
#include <optional>
#include <utility>

// After Xlib, whose macros GLFW's header does not mind.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace emergence {
namespace {

using PasteClock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kAnswerPatience{500};
constexpr size_t kLongestPaste = size_t{16} << 20;  // of a pasted text
constexpr const char* kClipboardIsSilent =
    "The program that holds the clipboard does not answer: nothing was pasted. Copy the text again.";

// One question to the owner of a selection, asked by a window of its own: an answer that comes too late finds nobody.
class SelectionQuestion {
  public:
    SelectionQuestion(Display* display, Atom selection, const char* form)
        : display_(display),
          window_(XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0)),
          property_(XInternAtom(display, "EMERGENCE_SELECTION", False)) {
        XSelectInput(display_, window_, PropertyChangeMask);
        XConvertSelection(display_, selection, XInternAtom(display, form, False), property_, window_, CurrentTime);
    }
    ~SelectionQuestion() {
        XDestroyWindow(display_, window_);
        XFlush(display_);
    }
    SelectionQuestion(const SelectionQuestion&) = delete;
    SelectionQuestion& operator=(const SelectionQuestion&) = delete;

    /// Whether the owner has answered at all.
    bool answered() { return answer().has_value(); }
    /// "" if the owner has no such form; nullopt if it did not answer.
    std::optional<std::string> text() {
        const auto notify = answer();
        if (!notify) return std::nullopt;
        if (notify->xselection.property == None) return "";
        Atom type = None;
        std::string whole = take_property(type);
        if (type != XInternAtom(display_, "INCR", False)) return whole;
        // A long text comes in parts, each when the one before it has been taken.
        for (whole.clear(); whole.size() < kLongestPaste;) {
            if (!wait([this](XEvent& event) {
                    return event.type == PropertyNotify && event.xproperty.window == window_ &&
                           event.xproperty.state == PropertyNewValue;
                }))
                return std::nullopt;
            const std::string part = take_property(type);
            if (part.empty()) return whole;
            whole += part;
        }
        return "";
    }

  private:
    std::optional<XEvent> answer() {
        return wait(
            [this](XEvent& event) { return event.type == SelectionNotify && event.xselection.requestor == window_; });
    }
    template <class IsIt>
    std::optional<XEvent> wait(IsIt&& is_it) {
        const auto until = PasteClock::now() + kAnswerPatience;
        while (true) {
            XEvent event;
            while (XPending(display_) > 0) {
                XNextEvent(display_, &event);
                if (is_it(event)) return event;
            }
            const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - PasteClock::now());
            pollfd connection{ConnectionNumber(display_), POLLIN, 0};
            if (left.count() <= 0 || ::poll(&connection, 1, static_cast<int>(left.count())) == 0) return std::nullopt;
        }
    }
    std::string take_property(Atom& type) {
        int bits = 0;
        unsigned long count = 0, left = 0;
        unsigned char* bytes = nullptr;
        XGetWindowProperty(display_, window_, property_, 0, static_cast<long>(kLongestPaste / 4), True, AnyPropertyType,
                           &type, &bits, &count, &left, &bytes);
        std::string text;
        if (bytes != nullptr && bits == 8) text.assign(reinterpret_cast<const char*>(bytes), count);
        if (bytes != nullptr) XFree(bytes);
        return text;
    }

    Display* display_;
    ::Window window_;
    Atom property_;
};

}  // namespace

struct WindowClipboard::Parts {
    GLFWwindow* window = nullptr;
    Display* display = nullptr;  // a connection of its own; null on a desktop without X11
    Atom clipboard = None;
    ::Window own_owner = None;  // GLFW's, once it has copied something
    std::string copied, pasted, notice;

    bool is_own() const { return own_owner != None && XGetSelectionOwner(display, clipboard) == own_owner; }

    void copy(const char* text) {
        glfwSetClipboardString(window, text);
        if (display == nullptr) return;
        copied = text;
        own_owner = XGetSelectionOwner(display, clipboard);
    }

    // Null if the owner does not answer.
    const char* paste() {
        if (display == nullptr) return glfwGetClipboardString(window);
        if (is_own()) return copied.c_str();
        std::optional<std::string> text = SelectionQuestion(display, clipboard, "UTF8_STRING").text();
        if (text && text->empty()) text = SelectionQuestion(display, clipboard, "STRING").text();
        if (!text) {
            notice = kClipboardIsSilent;
            return nullptr;
        }
        pasted = std::move(*text);
        return pasted.c_str();
    }
};

WindowClipboard::WindowClipboard(GLFWwindow* window) : parts_(std::make_unique<Parts>()) {
    parts_->window = window;
    parts_->display = XOpenDisplay(nullptr);
    if (parts_->display != nullptr) parts_->clipboard = XInternAtom(parts_->display, "CLIPBOARD", False);
    ImGuiIO& io = ImGui::GetIO();
    io.ClipboardUserData = parts_.get();
    io.GetClipboardTextFn = [](void* data) { return static_cast<Parts*>(data)->paste(); };
    io.SetClipboardTextFn = [](void* data, const char* text) { static_cast<Parts*>(data)->copy(text); };
}

// GLFW hands what was copied here to the desktop's manager of clipboards and waits for it. A silent one gets nothing.
WindowClipboard::~WindowClipboard() {
    Display* display = parts_->display;
    if (display == nullptr) return;
    const Atom manager = XInternAtom(display, "CLIPBOARD_MANAGER", False);
    if (parts_->is_own() && XGetSelectionOwner(display, manager) != None &&
        !SelectionQuestion(display, manager, "TARGETS").answered())
        XSetSelectionOwner(display, parts_->clipboard, None, CurrentTime);
    XCloseDisplay(display);
}

std::string WindowClipboard::take_notice() { return std::exchange(parts_->notice, ""); }

}  // namespace emergence
