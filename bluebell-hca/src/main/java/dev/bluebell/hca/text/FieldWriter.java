package dev.bluebell.hca.text;

import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.text.Layout.Slot;
import dev.bluebell.hca.text.Line.Item;
import java.util.BitSet;
import java.util.HexFormat;

/** Fills the bytes of one piece from the items that describe it. */
final class FieldWriter {
  private static final String DWORD = "+";

  private final Layout layout;
  private final byte[] bytes;
  private final BitSet given = new BitSet();

  FieldWriter(Layout layout) {
    this.layout = layout;
    this.bytes = new byte[layout.bytes()];
  }

  byte[] bytes() {
    return bytes;
  }

  /** Bits that items have given a value. */
  BitSet given() {
    return given;
  }

  void setAll(Line line) {
    for (Item item : line.items()) {
      set(line, item);
    }
  }

  void set(Line line, Item item) {
    if (item.name().startsWith(DWORD)) {
      addDword(line, item);
    } else {
      setSlot(line, item, slot(line, item));
    }
  }

  private Slot slot(Line line, Item item) {
    return layout
        .slot(item.name())
        .orElseThrow(
            () ->
                line.error(
                    "no field is called '%s' here; the fields are %s",
                    Text.clip(item.name()),
                    Names.alike(item.name(), layout.slots().stream().map(Slot::name).toList())));
  }

  private void setSlot(Line line, Item item, Slot slot) {
    if (!given.get(slot.from(), slot.to()).isEmpty()) {
      throw line.error("%s sets bits that another field already set", slot.name());
    }
    given.set(slot.from(), slot.to());
    if (slot.field().isNumber()) {
      setNumber(line, item, slot);
    } else {
      setDigits(line, item, slot);
    }
  }

  private void setNumber(Line line, Item item, Slot slot) {
    long value = slot.notation().parse(line, slot.name(), item.value());
    int width = slot.field().width();
    if (width < 64 && value >>> width != 0) {
      throw line.error(
          "%s has %d bits, which is too few for %s", slot.name(), width, Text.clip(item.value()));
    }
    View.over(bytes).set(slot.field(), value);
  }

  private void setDigits(Line line, Item item, Slot slot) {
    int digits = slot.field().width() / 4;
    try {
      byte[] value = HexFormat.of().parseHex(padded(item.value(), digits));
      View.over(bytes).setBytes(slot.field(), value);
    } catch (IllegalArgumentException e) {
      throw line.error(
          "%s takes %d hexadecimal digits, found '%s'",
          slot.name(), digits, Text.clip(item.value()));
    }
  }

  /** Adds leading zeros, which a number may omit, for example an IPv4-mapped GID. */
  private static String padded(String value, int digits) {
    return value.startsWith("0x")
        ? "0".repeat(Math.max(0, digits + 2 - value.length())) + value.substring(2)
        : value;
  }

  private void addDword(Line line, Item item) {
    int offset = Text.size(line, "the offset", item.name().substring(1));
    if ((offset & 3) != 0 || offset > bytes.length - 4) {
      throw line.error(
          "%s is not a dword: offsets are multiples of 4 up to %d",
          Text.clip(item.name()), bytes.length - 4);
    }
    long value = Text.number(line, item.name(), item.value());
    if (value >>> 32 != 0) {
      throw line.error("%s has 32 bits, which is too few for %s", item.name(), item.value());
    }
    for (int i = 0; i < 32; i++) {
      if ((value >>> (31 - i) & 1) != 0) {
        addBit(line, item, 8 * offset + i);
      }
    }
  }

  private void addBit(Line line, Item item, int bit) {
    if (given.get(bit)) {
      throw line.error("%s sets bits that another field already set", item.name());
    }
    given.set(bit);
    bytes[bit >> 3] |= (byte) (0x80 >>> (bit & 7));
  }
}
