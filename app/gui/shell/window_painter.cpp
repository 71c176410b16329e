#include "app/gui/shell/window_painter.h"

#ifdef __EMSCRIPTEN__
#else
#define GL_GLEXT_PROTOTYPES
#endif

#include <GL/gl.h>
#include <GL/glext.h>
#include <GLES3/gl3.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/base/check.h"

namespace emergence {
namespace {

constexpr float kLargeArea = 4000.0F;  // pixels
constexpr int kTileWidth = 8;          // a glyph's, about
constexpr int kTileHeight = 4;

constexpr unsigned kPlace = 0;
constexpr unsigned kColor = 1;
constexpr unsigned kTexel = 2;

#ifdef __EMSCRIPTEN__
constexpr const char* kLanguage = "#version 300 es\n";
#else
constexpr const char* kLanguage = "#version 330 core\n";
#endif

// `scale` brings pixels into the range from -1 to 1.
constexpr const char* kPlainVertices = R"(
uniform vec2 scale;
layout(location = 0) in vec2 place;
layout(location = 1) in vec4 color;
out vec4 shade;
void main() {
    shade = color;
    gl_Position = vec4(place * scale + vec2(-1.0, 1.0), 0.0, 1.0);
})";
constexpr const char* kPlainPixels = R"(
precision mediump float;
in vec4 shade;
out vec4 pixel;
void main() { pixel = shade; })";

constexpr const char* kTexturedVertices = R"(
uniform vec2 scale;
layout(location = 0) in vec2 place;
layout(location = 1) in vec4 color;
layout(location = 2) in vec2 texel;
out vec4 shade;
out vec2 at;
void main() {
    shade = color;
    at = texel;
    gl_Position = vec4(place * scale + vec2(-1.0, 1.0), 0.0, 1.0);
})";
constexpr const char* kGlyphPixels = R"(
precision mediump float;
uniform sampler2D atlas;
in vec4 shade;
in highp vec2 at;
out vec4 pixel;
void main() { pixel = vec4(shade.rgb, shade.a * texture(atlas, at).r); })";
constexpr const char* kPicturePixels = R"(
precision mediump float;
uniform sampler2D atlas;
in vec4 shade;
in highp vec2 at;
out vec4 pixel;
void main() { pixel = shade * texture(atlas, at); })";

unsigned compiled_shader(GLenum kind, const char* source) {
    const unsigned shader = glCreateShader(kind);
    const std::array<const char*, 2> sources = {kLanguage, source};
    glShaderSource(shader, 2, sources.data(), nullptr);
    glCompileShader(shader);
    return shader;
}

unsigned linked_shaders(const char* vertices, const char* pixels) {
    const unsigned program = glCreateProgram();
    for (const unsigned shader :
         {compiled_shader(GL_VERTEX_SHADER, vertices), compiled_shader(GL_FRAGMENT_SHADER, pixels)}) {
        glAttachShader(program, shader);
        glDeleteShader(shader);
    }
    glLinkProgram(program);
    int done = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &done);
    if (done != 0) return program;
    std::array<char, 512> why{};
    glGetProgramInfoLog(program, static_cast<int>(why.size()), nullptr, why.data());
    throw std::runtime_error("OpenGL refuses a shader: " + std::string(why.data()));
}

unsigned gl_name_of(ImTextureID texture) { return static_cast<unsigned>(reinterpret_cast<intptr_t>(texture)); }

bool same_color(const ImVec4& a, const ImVec4& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

void scissor(const PixelBox& box, int height) {  // GL begins below
    glScissor(box.left, height - box.bottom, box.right - box.left, box.bottom - box.top);
}

void read_vertices(unsigned attribute, int count, GLenum type, size_t offset) {
    glEnableVertexAttribArray(attribute);
    glVertexAttribPointer(attribute, count, type, type == GL_UNSIGNED_BYTE ? GL_TRUE : GL_FALSE, sizeof(ImDrawVert),
                          reinterpret_cast<const void*>(offset));
}

}  // namespace

Painter::Painter() {
    const std::array<unsigned, kKinds> programs = {
        linked_shaders(kPlainVertices, kPlainPixels), linked_shaders(kPlainVertices, kPlainPixels),
        linked_shaders(kTexturedVertices, kGlyphPixels), linked_shaders(kTexturedVertices, kPicturePixels)};
    for (size_t i = 0; i < kKinds; ++i) shaders_[i] = {programs[i], glGetUniformLocation(programs[i], "scale")};
    glGenVertexArrays(1, &layout_);
    glBindVertexArray(layout_);
    glGenBuffers(1, &vertex_buffer_);
    glGenBuffers(1, &index_buffer_);
    glBindBuffer(GL_ARRAY_BUFFER, vertex_buffer_);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, index_buffer_);
    read_vertices(kPlace, 2, GL_FLOAT, offsetof(ImDrawVert, pos));
    read_vertices(kColor, 4, GL_UNSIGNED_BYTE, offsetof(ImDrawVert, col));
    read_vertices(kTexel, 2, GL_FLOAT, offsetof(ImDrawVert, uv));
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
}

Painter::~Painter() {
    for (const Shader& shader : shaders_) glDeleteProgram(shader.program);
    glDeleteVertexArrays(1, &layout_);
    glDeleteBuffers(1, &vertex_buffer_);
    glDeleteBuffers(1, &index_buffer_);
    glDeleteTextures(1, &atlas_);
}

void Painter::take_glyphs() {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    unsigned char* pixels = nullptr;
    int width = 0;
    int height = 0;
    atlas.GetTexDataAsAlpha8(&pixels, &width, &height);
    if (atlas_ == 0) glGenTextures(1, &atlas_);
    glBindTexture(GL_TEXTURE_2D, atlas_);
    // All text stands on whole pixels.
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, width, height, 0, GL_RED, GL_UNSIGNED_BYTE, pixels);
    atlas.SetTexID(reinterpret_cast<ImTextureID>(static_cast<intptr_t>(atlas_)));
    damage_.forget();
}

// A large triangle without a soft edge is worth a kind of its own.
Painter::Kind Painter::kind_of(const Corners& corners, bool of_atlas) const {
    if (!of_atlas) return picture;
    const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
    bool is_plain = true;
    bool is_opaque = true;
    for (const unsigned corner : corners) {
        const ImDrawVert& vertex = vertices_[corner];
        is_plain = is_plain && vertex.uv.x == white.x && vertex.uv.y == white.y;
        is_opaque = is_opaque && (vertex.col & IM_COL32_A_MASK) == IM_COL32_A_MASK;
    }
    if (!is_plain) return glyphs;
    if (!is_opaque) return plain;
    const ImVec2 a = vertices_[corners[0]].pos, b = vertices_[corners[1]].pos, c = vertices_[corners[2]].pos;
    const float area = 0.5F * std::abs((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
    return area >= kLargeArea ? opaque : plain;
}

PixelBox Painter::box_of(const Corners& corners) const {
    ImVec2 low = vertices_[corners[0]].pos;
    ImVec2 high = low;
    for (const unsigned corner : corners) {
        const ImVec2& at = vertices_[corner].pos;
        low = {std::min(low.x, at.x), std::min(low.y, at.y)};
        high = {std::max(high.x, at.x), std::max(high.y, at.y)};
    }
    return {static_cast<int>(std::floor(low.x)), static_cast<int>(std::floor(low.y)),
            static_cast<int>(std::ceil(high.x)), static_cast<int>(std::ceil(high.y))};
}

// Marks where a triangle of this kind is drawn. False, and not all is marked, if a later kind of the layer lies there.
bool Painter::take_tiles(const PixelBox& box, Kind kind) {
    for (int y = box.top / kTileHeight; y * kTileHeight < box.bottom; ++y)
        for (int x = box.left / kTileWidth; x * kTileWidth < box.right; ++x) {
            Tile& there = tiles_[y * tiles_wide_ + x];
            if (there.layer == layer_number_ && there.kind > kind) return false;
            there = {layer_number_, kind};
        }
    return true;
}

void Painter::end_layer() {
    for (size_t kind = 0; kind < kKinds; ++kind) {
        std::vector<unsigned>& corners = layer_[kind];
        if (corners.empty()) continue;
        batches_.push_back({static_cast<Kind>(kind), layer_picture_, layer_clip_, indices_.size(), corners.size()});
        indices_.insert(indices_.end(), corners.begin(), corners.end());
        corners.clear();
    }
    layer_picture_ = nullptr;
    ++layer_number_;
}

void Painter::collect(const ImDrawList& list, const ImDrawCmd& command, unsigned base, const PixelBox& clip) {
    const ImTextureID texture = command.GetTexID();
    const bool of_atlas = gl_name_of(texture) == atlas_;
    const bool other_picture = !of_atlas && layer_picture_ != nullptr && layer_picture_ != texture;
    if (clip != layer_clip_ || other_picture) end_layer();
    layer_clip_ = clip;
    for (unsigned i = 0; i < command.ElemCount; i += 3) {
        Corners corners{};
        for (unsigned k = 0; k < 3; ++k)
            corners[k] = base + command.VtxOffset + list.IdxBuffer[static_cast<int>(command.IdxOffset + i + k)];
        const PixelBox box = box_of(corners).cut_to(clip);
        if (box.empty()) continue;
        const Kind kind = kind_of(corners, of_atlas);
        if (!take_tiles(box, kind)) {
            end_layer();
            take_tiles(box, kind);
        }
        if (!of_atlas) layer_picture_ = texture;
        layer_[kind].insert(layer_[kind].end(), corners.begin(), corners.end());
    }
}

// All that shows in one box.
void Painter::collect(const ImDrawData& data, const PixelBox& box) {
    unsigned base = 0;
    for (int n = 0; n < data.CmdListsCount; ++n) {
        const ImDrawList& list = *data.CmdLists[n];
        for (const ImDrawCmd& command : list.CmdBuffer)
            if (const PixelBox clip = pixels_of(command.ClipRect).cut_to(box); !clip.empty())
                collect(list, command, base, clip);
        base += static_cast<unsigned>(list.VtxBuffer.Size);
    }
    end_layer();
}

void Painter::start_tiles(int width, int height) {
    const int wide = width / kTileWidth + 1;
    const int high = height / kTileHeight + 1;
    if (wide == tiles_wide_ && high == tiles_high_ && layer_number_ != 0) return;
    tiles_.assign(wide * high, {});
    tiles_wide_ = wide;
    tiles_high_ = high;
    layer_number_ = 1;
}

void Painter::upload(const ImDrawData& data) {
    vertices_.clear();
    for (int n = 0; n < data.CmdListsCount; ++n) {
        const ImDrawList& list = *data.CmdLists[n];
        vertices_.insert(vertices_.end(), list.VtxBuffer.begin(), list.VtxBuffer.end());
    }
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices_.size() * sizeof(ImDrawVert)), vertices_.data(),
                 GL_STREAM_DRAW);
}

const std::vector<PixelBox>& Painter::paint(const ImDrawData& data, int width, int height, const ImVec4& ground) {
    if (!same_color(std::exchange(ground_, ground), ground)) damage_.forget();
    const std::vector<PixelBox>& boxes = damage_.find(data, width, height);
    if (boxes.empty()) return boxes;
    start_tiles(width, height);
    upload(data);
    indices_.clear();
    batches_.clear();
    for (const PixelBox& box : boxes) collect(data, box);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(indices_.size() * sizeof(unsigned)), indices_.data(),
                 GL_STREAM_DRAW);
    glViewport(0, 0, width, height);
    glEnable(GL_SCISSOR_TEST);
    glClearColor(ground.x, ground.y, ground.z, 1.0F);
    for (const PixelBox& box : boxes) {
        scissor(box, height);
        glClear(GL_COLOR_BUFFER_BIT);
    }
    draw(width, height);
    return boxes;
}

PixelImage Painter::read(int width, int height) {
    PixelImage image{width, height, {}};
    const auto row = static_cast<size_t>(width);
    image.pixels.resize(row * static_cast<size_t>(height));
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, image.pixels.data());
    const auto at = [&](size_t y) { return image.pixels.begin() + static_cast<std::ptrdiff_t>(y * row); };
    for (size_t top = 0, bottom = static_cast<size_t>(height); top + 1 < bottom; ++top) {  // GL begins below
        --bottom;
        std::swap_ranges(at(top), at(top + 1), at(bottom));
    }
    return image;
}

void Painter::draw(int width, int height) {
    for (const Shader& shader : shaders_) {
        glUseProgram(shader.program);
        glUniform2f(shader.scale, 2.0F / static_cast<float>(width), -2.0F / static_cast<float>(height));
    }
    const Batch* last = nullptr;
    for (const Batch& batch : batches_) {
        if (last == nullptr || last->kind != batch.kind) {
            glUseProgram(shaders_[batch.kind].program);
            if (batch.kind == opaque)
                glDisable(GL_BLEND);
            else
                glEnable(GL_BLEND);
        }
        if (batch.kind == glyphs) glBindTexture(GL_TEXTURE_2D, atlas_);
        if (batch.kind == picture) glBindTexture(GL_TEXTURE_2D, gl_name_of(batch.texture));
        if (last == nullptr || last->clip != batch.clip) scissor(batch.clip, height);
        glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(batch.count), GL_UNSIGNED_INT,
                       reinterpret_cast<const void*>(batch.first * sizeof(unsigned)));
        last = &batch;
    }
}

GlTextureStore::~GlTextureStore() {
    if (!names_.empty()) glDeleteTextures(static_cast<GLsizei>(names_.size()), names_.data());
}

ImTextureID GlTextureStore::upload(ImTextureID existing, int width, int height, const std::vector<ImU32>& pixels) {
    check(pixels.size() == static_cast<size_t>(width) * static_cast<size_t>(height), "one pixel a cell");
    auto name = static_cast<GLuint>(reinterpret_cast<intptr_t>(existing));
    const bool fresh = name == 0;
    if (fresh) {
        glGenTextures(1, &name);
        names_.push_back(name);
    }
    glBindTexture(GL_TEXTURE_2D, name);
    if (fresh) {
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    }
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    const auto texture = reinterpret_cast<ImTextureID>(static_cast<intptr_t>(name));
    painter_->note_upload(texture);
    return texture;
}

}  // namespace emergence
