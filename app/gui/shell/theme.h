#pragma once
// The look of the window: colours of both themes, fonts, spacing. Sizes are given for a window of 1600 x 1000 and
// multiplied by Ui::scale.

#include <imgui.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/pictures/pen.h"

namespace emergence {

// An interface for textures lets widgets run without OpenGL.

/// Stores RGBA textures with nearest-neighbour filtering until it is destroyed.
class TextureStore {
  public:
    virtual ~TextureStore() = default;

    /// Writes `pixels` (width * height values as ImU32, row by row from the top) into `existing`, or into a new texture
    /// if that is null. Returns the texture.
    virtual ImTextureID upload(ImTextureID existing, int width, int height, const std::vector<ImU32>& pixels) = 0;
};

// Records where each widget was drawn, by name. Tests, the trace and the keyboard find widgets with it.

class WidgetLog {
  public:
    struct Place {
        ImVec2 min, max;
        bool visible = true;  // false if it is scrolled or clipped away
        int frame = 0;
        /// ImGui's id of the control that can be pressed there; 0 if none.
        ImGuiID id = 0;
        /// The widget's position in the frame's drawing order.
        int order = 0;
        /// True if the widget stands in an open list or menu.
        bool popup = false;
    };

    /// Notes the rectangle of a widget in this frame.
    void record(const std::string& name, ImVec2 min, ImVec2 max, ImGuiID id = 0);
    /// The centre of a widget in the last frame. Throws InvariantError if it was not drawn or is clipped.
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

/// Each colour has one meaning in both themes, and colour-blind people can tell them apart. Controls have no colour;
/// they are lighter or darker than the ground.
///
/// | colour                         | meaning                                                        |
/// |--------------------------------|----------------------------------------------------------------|
/// | text, accent (ink on paper)    | chosen, grabbed, pressed, changed from the default             |
/// | muted                          | captions, tick labels, settings at their default, paused       |
/// | good (green)                   | emerged, a tick, training                                      |
/// | warning (amber)                | the past, run B, paused, what is pointed out                   |
/// | bad (red)                      | failed, refused                                                |
/// | categorical(0), (1), ...       | curves: blue the transformer, orange batch TD, then the others |
/// | diverging maps                 | matrices: blue below zero, orange above                        |
///
/// Green, amber and red never differ by colour alone; words or shapes stand beside them.
struct Colors {
    ImU32 window = 0;   // behind the panels
    ImU32 panel = 0;    // ground of a panel
    ImU32 plot = 0;     // inside the axes
    ImU32 border = 0;   // between panels
    ImU32 grid = 0;     // lines behind data
    ImU32 axis = 0;     // the frame of plots and matrices
    ImU32 control = 0;  // ground of a slider or button
    ImU32 hovered = 0;  // the same under the pointer
    ImU32 text = 0;
    ImU32 muted = 0;   // captions, tick labels
    ImU32 accent = 0;  // selection and handles: a strong grey
    ImU32 on_accent = 0;
    ImU32 good = 0;
    ImU32 warning = 0;
    ImU32 bad = 0;
};

/// The three type sizes, in pixels at 1600 x 1000. A presentation adds a size for the sentences that a class reads, and
/// a smallest size.
inline constexpr float kHeadlineType = 30.0F, kTextType = 16.0F, kSmallType = 13.0F;
inline constexpr float kReadingType = 22.0F, kLeastPresentedType = 18.0F;

struct Fonts {
    ImFont* large = nullptr;    // the number that must be readable from the last row
    ImFont* body = nullptr;     // text; bold and slanted have the same size
    ImFont* reading = nullptr;  // a presentation's sentences; otherwise as body
    ImFont* bold = nullptr;
    ImFont* slanted = nullptr;
    ImFont* small = nullptr;  // captions and ticks; mono has the same size
    ImFont* mono = nullptr;   // code and commands
};

/// The user's choices about the look.
struct Look {
    Theme theme = Theme::dark;
    float ui_scale = 1.0F;    // multiplies the scale that fits the window and the display
    bool presenting = false;  // large type and no controls
    bool operator==(const Look&) const = default;
};

/// The allowed values of ui_scale.
inline constexpr float kSmallestUiScale = 0.5F;
inline constexpr float kLargestUiScale = 3.0F;

/// The argument of every draw function.
struct Ui {
    Theme theme = Theme::dark;
    float scale = 1.0F;
    bool presenting = false;  // panels leave out their controls
    Colors colors;
    Fonts fonts;
    TextureStore* textures = nullptr;
    WidgetLog* log = nullptr;         // may be null
    FieldEditing* editing = nullptr;  // set by the code that draws fields
    TermHover* terms = nullptr;       // may be null

    /// Converts a length of the 1600 x 1000 design to whole pixels, so lines stay sharp.
    float px(float length) const;
};

Colors colors_of(Theme theme);

/// The scale at which the design fills a window of this size in pixels: at least 0.9, and at most what fits.
float fitting_scale(ImVec2 window, float content_scale);

/// The largest scale at which all panels fit into a window without overlapping.
float largest_scale(bool presenting, ImVec2 window);

/// The scale of a look in a window: fitting_scale() times the user's choice, larger in a presentation, limited by what
/// fits.
float scale_for(const Look& look, ImVec2 window, float content_scale);

/// Sets ImGui's own colours and spacing.
void apply_style(const Ui& ui);

/// Adapts `ui`, ImGui's style and its font atlas to this look. Call it between frames. Returns true if the atlas is new
/// and its texture must be made again.
bool apply_look(Ui& ui, const Look& look, ImVec2 window, float content_scale);

/// Gives the current context the font atlas of this scale: DejaVu Sans and Sans Mono with Greek, mathematics, sub- and
/// superscripts, or ImGui's own font if they are missing. No type is smaller than `least` pixels. Call it between
/// frames.
Fonts load_fonts(float scale, float least = 0.0F);

ImU32 series_color(const Ui& ui, int index);
ImU32 to_color(Rgb color);
ImU32 with_alpha(ImU32 color, float alpha);
/// Records ImGui's last item under a name, if there is a log.
void log_item(const Ui& ui, const std::string& name);

}  // namespace emergence
