package dev.bluebell.program.verify;

import dev.bluebell.program.verify.Symbols.Equality;
import org.jspecify.annotations.Nullable;

/**
 * Atomics on bytes that may be unknown; memory holds numbers in the host's order, the lowest first.
 */
final class Atomics {
  private record Pair(int[] memory, int[] operand) {}

  private final Symbols symbols;
  private final Request request;
  private final int[] entry;

  Atomics(Symbols symbols, Request request, int[] entry) {
    this.symbols = symbols;
    this.request = request;
    this.entry = entry;
  }

  /** Whether a compare-and-swap finds what it looks for. */
  Equality compare(int[] old) {
    Pair pair = compared(old);
    if (pair == null) {
      return partly(old);
    }
    return symbols.compare(pair.memory(), pair.operand());
  }

  /** Learns how a compare-and-swap went. False when it cannot have gone so. */
  boolean learn(int[] old, boolean equal) {
    Pair pair = compared(old);
    if (pair == null) {
      return true;
    }
    if (equal) {
      return symbols.learnEqual(pair.memory(), pair.operand());
    }
    symbols.learnDifferent(pair.memory(), pair.operand());
    return true;
  }

  /** The bytes that are compared; null when it is not whole bytes. */
  private @Nullable Pair compared(int[] old) {
    long mask = request.compareMask();
    int[] bytes = new int[old.length];
    int count = 0;
    for (int i = 0; i < old.length; i++) {
      int bits = (int) (mask >>> 8 * i) & 0xff;
      if (bits == 0xff) {
        bytes[count++] = i;
      } else if (bits != 0) {
        return null;
      }
    }
    int[] memory = new int[count];
    int[] operand = new int[count];
    for (int k = 0; k < count; k++) {
      memory[k] = old[bytes[k]];
      operand[k] = operand(request.compareOffset(), bytes[k]);
    }
    return new Pair(memory, operand);
  }

  private Equality partly(int[] old) {
    long mask = request.compareMask();
    Equality result = Equality.EQUAL;
    for (int i = 0; i < old.length; i++) {
      int bits = (int) (mask >>> 8 * i) & 0xff;
      int a = symbols.resolve(old[i]);
      int b = symbols.resolve(operand(request.compareOffset(), i));
      if (bits == 0 || a == b) {
        continue;
      }
      if (!Symbols.isKnown(a) || !Symbols.isKnown(b)) {
        result = Equality.UNKNOWN;
      } else if (((a ^ b) & bits) != 0) {
        return Equality.DIFFERENT;
      }
    }
    return result;
  }

  /** What a compare-and-swap that found it leaves in memory. */
  int[] swapped(int[] old) {
    int[] result = old.clone();
    for (int i = 0; i < old.length; i++) {
      int bits = (int) (request.swapMask() >>> 8 * i) & 0xff;
      int operand = symbols.resolve(operand(request.operandsOffset(), i));
      int memory = symbols.resolve(old[i]);
      if (bits == 0xff) {
        result[i] = operand;
      } else if (bits != 0) {
        boolean known = Symbols.isKnown(operand) && Symbols.isKnown(memory);
        result[i] = known ? memory & ~bits | operand & bits : symbols.fresh();
      }
    }
    return result;
  }

  /** What a fetch-and-add leaves in memory. */
  int[] sum(int[] old) {
    int[] result = new int[old.length];
    // The carry into the next byte: 0 or 1, and −1 when it is unknown.
    int carry = 0;
    for (int i = 0; i < old.length; i++) {
      int boundary = (int) (request.boundary() >>> 8 * i) & 0xff;
      int a = symbols.resolve(old[i]);
      int b = symbols.resolve(operand(request.operandsOffset(), i));
      if (b == 0 && carry == 0) {
        result[i] = a;
      } else if (carry >= 0 && Symbols.isKnown(a) && Symbols.isKnown(b)) {
        int sum = (a & ~boundary) + (b & ~boundary) + carry;
        result[i] = (sum ^ (a ^ b) & boundary) & 0xff;
        carry = sum >> 8;
      } else {
        result[i] = symbols.fresh();
        carry = -1;
      }
      if ((boundary & 0x80) != 0) {
        carry = 0;
      }
    }
    return result;
  }

  // Operands are big-endian.
  private int operand(int offset, int byteOfNumber) {
    return entry[offset + request.operandBytes() - 1 - byteOfNumber];
  }
}
