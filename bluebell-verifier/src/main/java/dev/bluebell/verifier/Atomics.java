package dev.bluebell.verifier;

import dev.bluebell.verifier.Symbols.Digit;
import dev.bluebell.verifier.Symbols.Equality;
import java.util.Arrays;

/** Atomics on bytes that may be unknown. Numbers in memory are little-endian. */
final class Atomics {
  private final Symbols symbols;
  private final Request request;
  private final int[] entry;

  Atomics(Symbols symbols, Request request, int[] entry) {
    this.symbols = symbols;
    this.request = request;
    this.entry = entry;
  }

  /** Whether the memory equals the compare value of a compare-and-swap. */
  Equality compare(int[] old) {
    return symbols.compare(old, operands(old.length), request.compareMask());
  }

  /** Learns the result of a compare-and-swap. False when it is impossible. */
  boolean learn(int[] old, boolean equal) {
    return symbols.learn(old, operands(old.length), request.compareMask(), equal);
  }

  private int[] operands(int length) {
    int[] operands = new int[length];
    for (int i = 0; i < length; i++) {
      operands[i] = operand(request.compareOffset(), i);
    }
    return operands;
  }

  /** The memory after a successful compare-and-swap. */
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

  /**
   * True when known bytes of a sum depend on a carry from the unknown bytes below them, as in a
   * comparison by subtraction.
   */
  boolean asksForCarry(int[] old) {
    int last = lastUnknown(old);
    return last >= 0 && last < old.length - 1 && (request.boundary() >>> 8 * last + 7 & 1) == 0;
  }

  private int lastUnknown(int[] old) {
    for (int i = old.length - 1; i >= 0; i--) {
      if (!Symbols.isKnown(symbols.resolve(old[i]))
          || !Symbols.isKnown(symbols.resolve(operand(request.operandsOffset(), i)))) {
        return i;
      }
    }
    return -1;
  }

  /**
   * The memory after a fetch-and-add.
   *
   * @param carries true when the highest unknown byte carries
   */
  int[] sum(int[] old, boolean carries) {
    int[] result = new int[old.length];
    int lastUnknown = lastUnknown(old);

    // The carry into the next byte: 0, 1, or −1 when it is unknown.
    int carry = 0;
    for (int i = 0; i < old.length; i++) {
      int next = carry == 0 ? addNumber(old, i, result) : i;
      if (next > i) {
        i = next - 1;
        continue;
      }
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
      if (i == lastUnknown) {
        carry = carries ? 1 : 0;
      }
      if ((boundary & 0x80) != 0) {
        carry = 0;
      }
    }
    return result;
  }

  /**
   * Adds to the symbolic number of a field, if there is one; returns the start of the next field.
   */
  private int addNumber(int[] old, int from, int[] result) {
    int to = from;
    while (to < old.length - 1 && (request.boundary() >>> 8 * to & 0xff) == 0) {
      to++;
    }
    int last = (int) (request.boundary() >>> 8 * to) & 0xff;
    Digit number = symbols.number(Arrays.copyOfRange(old, from, to + 1));
    if (number == null || (last & 0x7f) != 0) {
      return from;
    }
    long addend = 0;
    for (int i = to; i >= from; i--) {
      int b = symbols.resolve(operand(request.operandsOffset(), i));
      if (!Symbols.isKnown(b)) {
        return from;
      }
      addend = addend << 8 | b;
    }
    int length = to + 1 - from;
    int[] sum = symbols.number(number.counter(), number.offset() + addend, length);
    System.arraycopy(sum, 0, result, from, length);
    return to + 1;
  }

  // Operands are big-endian.
  private int operand(int offset, int byteOfNumber) {
    return entry[offset + request.operandBytes() - 1 - byteOfNumber];
  }
}
