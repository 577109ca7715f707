package dev.bluebell.hca.text;

import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.text.Line.Item;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Names for the bits of a piece of a format, in the order in which text shows them. Several names
 * may refer to the same bits; the first that applies is shown. Bits without a name are shown as
 * dwords, so nothing is lost.
 */
final class Layout {
  private final String keyword;
  private final int bytes;
  private final List<Slot> slots;
  private final Map<String, Slot> byName = new HashMap<>();

  private Layout(String keyword, int bytes, List<Slot> slots) {
    this.keyword = keyword;
    this.bytes = bytes;
    this.slots = List.copyOf(slots);
    this.slots.forEach(slot -> byName.putIfAbsent(slot.name(), slot));
  }

  /**
   * A field and how to show it.
   *
   * @param field where it is; bit 0 is the top bit of byte 0
   * @param notation how to write its number; fields of more than 64 bits are written as digits
   * @param always whether to show it when it is 0
   */
  record Slot(Field field, Notation notation, boolean always) {
    String name() {
      return field.name();
    }

    int from() {
      return field.bit();
    }

    int to() {
      return field.bit() + field.width();
    }

    private Item read(View view) {
      return new Item(
          name(),
          field.isNumber()
              ? notation.print(view.get(field), field.width())
              : String.join("", HexLines.words(view.getBytes(field), 0, field.width() / 8)));
    }
  }

  /**
   * Starts a layout.
   *
   * @param keyword keyword of the lines for such a piece; empty when its fields have separate lines
   * @param bytes size, a multiple of 4
   */
  static Builder define(String keyword, int bytes) {
    return new Builder(keyword, bytes);
  }

  /** Joins layouts of one keyword, so that any of their names can be read. */
  Layout merge(Layout other) {
    List<Slot> all = new ArrayList<>(slots);
    for (Slot slot : other.slots) {
      if (slot(slot.name()).isEmpty()) {
        all.add(slot);
      }
    }
    return new Layout(keyword, bytes, all);
  }

  /** Keyword of the lines for such a piece; empty when its fields have separate lines. */
  String keyword() {
    return keyword;
  }

  /** Size, a multiple of 4. */
  int bytes() {
    return bytes;
  }

  List<Slot> slots() {
    return slots;
  }

  Optional<Slot> slot(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** Describes the piece that starts at byte {@code base}; bytes behind the array read as 0. */
  List<Item> read(byte[] source, int base) {
    byte[] piece = Arrays.copyOf(Arrays.copyOfRange(source, base, source.length), bytes);
    View view = View.over(piece);
    BitSet left = ones(piece);
    BitSet shown = new BitSet();
    List<Item> items = new ArrayList<>();
    for (Slot slot : slots) {
      boolean set = !slot.always && isSetAndNotFiner(slot, left);
      if ((slot.always || set) && shown.get(slot.from(), slot.to()).isEmpty()) {
        items.add(slot.read(view));
        left.clear(slot.from(), slot.to());
        shown.set(slot.from(), slot.to());
      }
    }
    addDwords(left, items);
    return items;
  }

  private static BitSet ones(byte[] piece) {
    BitSet ones = new BitSet(8 * piece.length);
    for (int bit = 0; bit < 8 * piece.length; bit++) {
      if ((piece[bit >> 3] >>> (7 - (bit & 7)) & 1) != 0) {
        ones.set(bit);
      }
    }
    return ones;
  }

  // Some headers name a dword, and others the only byte used in it: the finer name is more
  // specific.
  private boolean isSetAndNotFiner(Slot slot, BitSet left) {
    BitSet ones = left.get(slot.from(), slot.to());
    if (ones.isEmpty()) {
      return false;
    }
    for (Slot finer : slots) {
      boolean inside = finer.from() >= slot.from() && finer.to() <= slot.to();
      if (inside && finer.field.width() < slot.field.width()) {
        ones.clear(finer.from() - slot.from(), finer.to() - slot.from());
      }
    }
    return !ones.isEmpty();
  }

  private static void addDwords(BitSet left, List<Item> items) {
    for (int bit = left.nextSetBit(0); bit >= 0; bit = left.nextSetBit((bit | 31) + 1)) {
      int dword = bit & ~31;
      int value = 0;
      for (int i = 0; i < 32; i++) {
        value = value << 1 | (left.get(dword + i) ? 1 : 0);
      }
      items.add(new Item("+0x" + Integer.toHexString(dword / 8), Hex.number(value, 32)));
    }
  }

  /** Collects the names of a layout. */
  static final class Builder {
    private final String keyword;
    private final int bytes;
    private final List<Slot> slots = new ArrayList<>();

    private Builder(String keyword, int bytes) {
      this.keyword = keyword;
      this.bytes = bytes;
    }

    Builder add(Slot slot) {
      slots.add(slot);
      return this;
    }

    /** Adds fields that are shown even when they are 0. */
    Builder always(Notation notation, Field... fields) {
      return add(notation, true, fields);
    }

    /** Adds fields that are shown when they are not 0. */
    Builder ifSet(Notation notation, Field... fields) {
      return add(notation, false, fields);
    }

    private Builder add(Notation notation, boolean always, Field... fields) {
      for (Field field : fields) {
        slots.add(new Slot(field, notation, always));
      }
      return this;
    }

    Builder all(Layout other) {
      slots.addAll(other.slots);
      return this;
    }

    /** Adds all fields of a structure that starts at {@code bit}, areas included, in bit order. */
    Builder structure(String prefix, int bit, Structure structure) {
      List<Slot> found = new ArrayList<>();
      collect(prefix, bit, structure, found);
      found.sort((a, b) -> Integer.compare(a.from(), b.from()));
      slots.addAll(found);
      return this;
    }

    private static void collect(String prefix, int bit, Structure structure, List<Slot> found) {
      for (Field field : structure.fields()) {
        Field placed = new Field(prefix + field.name(), bit + field.bit(), field.width());
        found.add(new Slot(placed, notation(field), false));
      }
      for (Area area : structure.areas()) {
        collect(prefix + area.name() + ".", bit + 8 * area.offset(), area.structure(), found);
      }
    }

    // Counts and sizes are narrow; wide fields are addresses, keys, objects or masks.
    private static Notation notation(Field field) {
      return field.width() <= 16 ? Notation.DECIMAL : Notation.HEX;
    }

    Layout build() {
      return new Layout(keyword, bytes, slots);
    }
  }
}
