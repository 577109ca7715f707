package dev.bluebell.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Recorded bytes; only bytes with a mask other than 00 are compared.
 *
 * @param mask as long as the bytes
 */
record MaskedBytes(byte[] bytes, byte[] mask) {
  private static final int SHOWN = 8;

  MaskedBytes {
    if (bytes.length != mask.length) {
      throw new IllegalArgumentException(
          "%d bytes have a mask of %d".formatted(bytes.length, mask.length));
    }
  }

  static MaskedBytes of(JsonNode node) {
    return new MaskedBytes(Numbers.bytes(node, "bytes"), Numbers.bytes(node, "mask"));
  }

  int length() {
    return bytes.length;
  }

  /** The difference of the built bytes; empty when they are equal under the mask. */
  Optional<String> difference(String what, byte[] built) {
    List<String> places = new ArrayList<>();
    for (int i = 0; i < bytes.length; i++) {
      if (((built[i] ^ bytes[i]) & mask[i]) != 0) {
        places.add("byte %d is %s, recorded %s".formatted(i, hex(built[i]), hex(bytes[i])));
      }
    }
    if (places.isEmpty()) {
      return Optional.empty();
    }
    String shown = String.join("; ", places.subList(0, Math.min(SHOWN, places.size())));
    int more = places.size() - SHOWN;
    return Optional.of(
        "%s: %s%s".formatted(what, shown, more > 0 ? "; and %d more".formatted(more) : ""));
  }

  private static String hex(byte value) {
    return HexFormat.of().toHexDigits(value);
  }
}
