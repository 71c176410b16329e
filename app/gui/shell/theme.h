#pragma once
// How everything looks: colours of the dark and the light theme, fonts, spacing. All sizes are written for a
// window of 1600 x 1000 and multiplied by Ui::scale.

#include <imgui.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/pictures/pen.h"

namespace emergence {

// Images on the graphics card, behind an interface, so that widgets also run where there is no GL.

/// Keeps nearest-filtered RGBA textures until it is destroyed.
class TextureStore {
  public:
    virtual ~TextureStore() = default;

    /// Puts `pixels` (width * height, row by row from the top, as ImU32) into `existing`, or into a new
    /// texture where that is null; returns the texture.
    virtual ImTextureID upload(ImTextureID existing, int width, int height, const std::vector<ImU32>& pixels) = 0;
};

// Where each widget was last drawn, by name: tests, the window's trace and the keyboard find a slider with it.

class WidgetLog {
  public:
    struct Place {
        ImVec2 min, max;
        bool visible = true;  // false where it is scrolled or clipped away
        int frame = 0;
        /// Of the control that can be pressed there; 0 if none.
        ImGuiID id = 0;
        /// In which order the widgets of a frame were drawn.
        int order = 0;
        /// It stands in an open list or menu.
        bool popup = false;
    };

    /// Notes the rectangle of a widget in this frame.
    void record(const std::string& name, ImVec2 min, ImVec2 max, ImGuiID id = 0);
    /// The centre of a widget of the last frame. Throws InvariantError where it was not drawn then, or is
    /// clipped.
    ImVec2 centre(const std::string& name) const;
    const Place& place(const std::string& name) const;
    bool drawn(const std::string& name) const;
    const std::map<std::string, Place>& places() const { return places_; }

  private:
    std::map<std::string, Place> places_;
    int next_ = 0;
};

class FieldEditing;
class TermHover;

/// One colour, one meaning, in both themes and for the colour-blind. What is operated has none: it is lighter or
/// darker.
///
/// | colour                         | meaning                                                        |
/// |--------------------------------|----------------------------------------------------------------|
/// | text, accent (ink on paper)    | what is chosen, grabbed, pressed, changed from its default     |
/// | muted                          | captions, tick labels, settings at their default, at rest      |
/// | good (green)                   | emerged, a tick, training                                      |
/// | warning (amber)                | the past, run B, paused, what is pointed out                   |
/// | bad (red)                      | failed, refused                                                |
/// | categorical(0), (1), ...       | curves: blue the transformer, orange batch TD, then the others |
/// | diverging maps                 | matrices: blue below zero, orange above                        |
///
/// Green, amber and red are never told apart by colour alone: words or shapes stand with them.
struct Colors {
    ImU32 window = 0;   // behind the panels
    ImU32 panel = 0;    // a panel's ground
    ImU32 plot = 0;     // inside the axes
    ImU32 border = 0;   // between panels
    ImU32 grid = 0;     // lines behind data
    ImU32 axis = 0;     // the frame of plots and matrices
    ImU32 control = 0;  // a slider's or button's ground
    ImU32 hovered = 0;  // the same under the pointer
    ImU32 text = 0;
    ImU32 muted = 0;   // captions, tick labels
    ImU32 accent = 0;  // what is selected, what can be grabbed: a strong grey
    ImU32 on_accent = 0;
    ImU32 good = 0;
    ImU32 warning = 0;
    ImU32 bad = 0;
};

/// The three sizes of type, in pixels at 1600 x 1000; in a presentation also that of the sentences that a class reads,
/// and the least.
inline constexpr float kHeadlineType = 30.0F, kTextType = 16.0F, kSmallType = 13.0F;
inline constexpr float kReadingType = 22.0F, kLeastPresentedType = 18.0F;

struct Fonts {
    ImFont* large = nullptr;    // headline: the one number to be read from the last row
    ImFont* body = nullptr;     // text, as bold and slanted
    ImFont* reading = nullptr;  // in a presentation: the headline's sentence, a lesson's words; else as body
    ImFont* bold = nullptr;
    ImFont* slanted = nullptr;
    ImFont* small = nullptr;  // captions and ticks, as mono
    ImFont* mono = nullptr;   // code and commands
};

/// What the user chooses of how things look.
struct Look {
    Theme theme = Theme::dark;
    float ui_scale = 1.0F;    // on top of what fits the window and the display
    bool presenting = false;  // large type, nothing that is operated
    bool operator==(const Look&) const = default;
};

/// The sizes that ui_scale may have.
inline constexpr float kSmallestUiScale = 0.5F;
inline constexpr float kLargestUiScale = 3.0F;

/// What every draw function is given.
struct Ui {
    Theme theme = Theme::dark;
    float scale = 1.0F;
    bool presenting = false;  // panels leave out what is operated
    Colors colors;
    Fonts fonts;
    TextureStore* textures = nullptr;
    WidgetLog* log = nullptr;         // may be null
    FieldEditing* editing = nullptr;  // whoever draws fields sets it
    TermHover* terms = nullptr;       // may be null

    /// A length of the 1600 x 1000 design in pixels, whole ones so that lines stay sharp.
    float px(float length) const;
};

Colors colors_of(Theme theme);

/// The scale at which the design fills a window of this size in pixels: never below 0.9, never above what
/// still fits.
float fitting_scale(ImVec2 window, float content_scale);

/// The largest scale at which all panels have their place in a window, without one on another.
float largest_scale(bool presenting, ImVec2 window);

/// The scale of a look in a window: as fitting_scale, larger or smaller as the user has it and larger in a
/// presentation, as far as everything keeps its place.
float scale_for(const Look& look, ImVec2 window, float content_scale);

/// Sets ImGui's own colours and spacing.
void apply_style(const Ui& ui);

/// Brings `ui`, ImGui's style and its font atlas to this look, where they are not; between frames only. True
/// where the atlas is another, so that its texture has to be made again.
bool apply_look(Ui& ui, const Look& look, ImVec2 window, float content_scale);

/// Gives the current context the font atlas of this scale: DejaVu Sans and Sans Mono with Greek, mathematics, sub- and
/// superscripts; ImGui's own font if they are not installed. No size is below `least` pixels. Between frames only.
Fonts load_fonts(float scale, float least = 0.0F);

ImU32 series_color(const Ui& ui, int index);
ImU32 to_color(Rgb color);
ImU32 with_alpha(ImU32 color, float alpha);
/// Notes the last item of ImGui under a name in the log, where there is one.
void log_item(const Ui& ui, const std::string& name);

}  // namespace emergence
