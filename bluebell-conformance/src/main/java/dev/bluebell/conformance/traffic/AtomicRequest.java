package dev.bluebell.conformance.traffic;

import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.verbs.AtomicScatter;
import dev.bluebell.verbs.Bits128;
import dev.bluebell.verbs.ReliableOperations;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * An atomic operation on the first bytes of a target: how the driver starts it, how it is encoded
 * in a request, and its effect.
 *
 * @param opcode of the control segment
 * @param opmod of the control segment
 * @param operands as encoded in the request
 * @param stages starts it
 * @param effect computes the target's new value
 */
public record AtomicRequest(
    int opcode,
    int opmod,
    byte[] operands,
    Function<ReliableOperations, AtomicScatter> stages,
    UnaryOperator<BigInteger> effect) {

  /** The atomic operations of the driver. */
  public enum Kind {
    COMPARE_AND_SWAP(RequestKind.COMPARE_AND_SWAP),
    FETCH_AND_ADD(RequestKind.FETCH_AND_ADD),
    MASKED_COMPARE_AND_SWAP(RequestKind.MASKED_COMPARE_AND_SWAP),
    MASKED_FETCH_AND_ADD(RequestKind.MASKED_FETCH_AND_ADD),
    AND(RequestKind.MASKED_COMPARE_AND_SWAP),
    OR(RequestKind.MASKED_COMPARE_AND_SWAP),
    XOR(RequestKind.MASKED_FETCH_AND_ADD),
    SWAP(RequestKind.MASKED_COMPARE_AND_SWAP);

    private final RequestKind request;

    Kind(RequestKind request) {
      this.request = request;
    }

    /** The kind of the request. */
    RequestKind request() {
      return request;
    }

    /** False for the 8-byte operations of the InfiniBand specification. */
    public boolean isMasked() {
      return this != COMPARE_AND_SWAP && this != FETCH_AND_ADD;
    }
  }

  // Operations of one value, by its size.

  private interface Of4Bytes {
    AtomicScatter start(ReliableOperations to, long address, int rkey, int value);
  }

  private interface Of8Bytes {
    AtomicScatter start(ReliableOperations to, long address, int rkey, long value);
  }

  private interface Of16Bytes {
    AtomicScatter start(ReliableOperations to, long address, int rkey, Bits128 value);
  }

  /** Builds requests of one size for one target. */
  private record Maker(AtomicModel model, long address, int rkey) {

    AtomicRequest swap(
        BigInteger compare,
        BigInteger swap,
        BigInteger compareMask,
        BigInteger swapMask,
        Function<ReliableOperations, AtomicScatter> stages) {
      return new AtomicRequest(
          WqeOpcode.ATOMIC_MASKED_CS,
          opmod(),
          join(swap, compare, swapMask, compareMask),
          stages,
          memory -> model.swap(memory, compare, swap, compareMask, swapMask));
    }

    AtomicRequest add(
        BigInteger add, BigInteger boundary, Function<ReliableOperations, AtomicScatter> stages) {
      return new AtomicRequest(
          WqeOpcode.ATOMIC_MASKED_FA,
          opmod(),
          join(add, boundary),
          stages,
          memory -> model.add(memory, add, boundary));
    }

    private int opmod() {
      return switch (model.bytes()) {
        case Integer.BYTES -> WqeForm.MASKED_ATOMIC_4;
        case Long.BYTES -> WqeForm.MASKED_ATOMIC_8;
        default -> WqeForm.MASKED_ATOMIC_16;
      };
    }

    byte[] join(BigInteger... numbers) {
      ByteBuffer joined = ByteBuffer.allocate(numbers.length * model.bytes());
      for (BigInteger number : numbers) {
        joined.put(model.toBytes(number));
      }
      return joined.array();
    }

    Function<ReliableOperations, AtomicScatter> stages(
        BigInteger value, Of4Bytes of4, Of8Bytes of8, Of16Bytes of16) {
      return to ->
          switch (model.bytes()) {
            case Integer.BYTES -> of4.start(to, address, rkey, value.intValue());
            case Long.BYTES -> of8.start(to, address, rkey, value.longValue());
            default -> of16.start(to, address, rkey, AtomicModel.bits(value));
          };
    }
  }

  /**
   * Builds a request with random operands.
   *
   * @param bytes size of its operands: 4, 8 or 16
   * @param old the target's value
   * @param address of the target
   * @param rkey of the target
   */
  public static AtomicRequest of(
      Kind kind, int bytes, RandomGenerator random, BigInteger old, long address, int rkey) {
    AtomicModel model = new AtomicModel(bytes);
    Maker make = new Maker(model, address, rkey);
    BigInteger zero = BigInteger.ZERO;
    BigInteger ones = model.ones();
    BigInteger value = number(bytes, random);
    return switch (kind) {
      case COMPARE_AND_SWAP -> {
        BigInteger compare = compare(bytes, random, old);
        yield new AtomicRequest(
            WqeOpcode.ATOMIC_CS,
            0,
            make.join(value, compare),
            to -> to.compareAndSwap(address, rkey, compare.longValue(), value.longValue()),
            memory -> model.swap(memory, compare, value, ones, ones));
      }
      case FETCH_AND_ADD ->
          new AtomicRequest(
              WqeOpcode.ATOMIC_FA,
              0,
              make.join(value, zero),
              to -> to.fetchAndAdd(address, rkey, value.longValue()),
              memory -> model.add(memory, value, zero));
      case MASKED_COMPARE_AND_SWAP -> {
        BigInteger compare = compare(bytes, random, old);
        BigInteger compared = sparse(bytes, random);
        BigInteger swapped = number(bytes, random);
        yield make.swap(
            compare,
            value,
            compared,
            swapped,
            make.stages(
                value,
                (to, at, key, swap) ->
                    to.maskedCompareAndSwap4(
                        at, key, compare.intValue(), swap, compared.intValue(), swapped.intValue()),
                (to, at, key, swap) ->
                    to.maskedCompareAndSwap8(
                        at,
                        key,
                        compare.longValue(),
                        swap,
                        compared.longValue(),
                        swapped.longValue()),
                (to, at, key, swap) ->
                    to.maskedCompareAndSwap16(
                        at,
                        key,
                        AtomicModel.bits(compare),
                        swap,
                        AtomicModel.bits(compared),
                        AtomicModel.bits(swapped))));
      }
      case MASKED_FETCH_AND_ADD -> {
        BigInteger boundary = sparse(bytes, random);
        yield make.add(
            value,
            boundary,
            make.stages(
                value,
                (to, at, key, add) -> to.maskedFetchAndAdd4(at, key, add, boundary.intValue()),
                (to, at, key, add) -> to.maskedFetchAndAdd8(at, key, add, boundary.longValue()),
                (to, at, key, add) ->
                    to.maskedFetchAndAdd16(at, key, add, AtomicModel.bits(boundary))));
      }
      case AND ->
          make.swap(
              zero,
              value,
              zero,
              ones.andNot(value),
              make.stages(
                  value,
                  ReliableOperations::fetchAndAnd4,
                  ReliableOperations::fetchAndAnd8,
                  ReliableOperations::fetchAndAnd16));
      case OR ->
          make.swap(
              zero,
              value,
              zero,
              value,
              make.stages(
                  value,
                  ReliableOperations::fetchAndOr4,
                  ReliableOperations::fetchAndOr8,
                  ReliableOperations::fetchAndOr16));
      case XOR ->
          make.add(
              value,
              ones,
              make.stages(
                  value,
                  ReliableOperations::fetchAndXor4,
                  ReliableOperations::fetchAndXor8,
                  ReliableOperations::fetchAndXor16));
      case SWAP ->
          make.swap(
              zero,
              value,
              zero,
              ones,
              make.stages(
                  value,
                  ReliableOperations::swap4,
                  ReliableOperations::swap8,
                  ReliableOperations::swap16));
    };
  }

  private static BigInteger number(int bytes, RandomGenerator random) {
    byte[] magnitude = new byte[bytes];
    random.nextBytes(magnitude);
    return new BigInteger(1, magnitude);
  }

  /** A mask of few bits, so that values compared under it are sometimes equal. */
  private static BigInteger sparse(int bytes, RandomGenerator random) {
    BigInteger number = number(bytes, random);
    for (int i = 0; i < 3; i++) {
      number = number.and(number(bytes, random));
    }
    return number;
  }

  /** A compare operand that equals the target's value, or a random one. */
  private static BigInteger compare(int bytes, RandomGenerator random, BigInteger old) {
    return random.nextBoolean() ? old : number(bytes, random);
  }
}
