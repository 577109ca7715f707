package dev.bluebell.conformance;

import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.verbs.AtomicScatter;
import dev.bluebell.verbs.ReliableOperations;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * An atomic operation on the first bytes of a target: as the driver starts it, as it stands in a
 * request, and what it does.
 *
 * @param model of its size
 * @param opcode of the control segment
 * @param opmod of the control segment
 * @param operands as they stand in the request
 * @param stages starts it
 * @param effect what becomes of the target
 */
record AtomicRequest(
    AtomicModel model,
    int opcode,
    int opmod,
    byte[] operands,
    Function<ReliableOperations, AtomicScatter> stages,
    UnaryOperator<BigInteger> effect) {

  /** Makes requests of one operation and size, with operands by chance. */
  private record Maker(AtomicModel model, Random random, Buffer target) {

    BigInteger number() {
      return new BigInteger(8 * model.bytes(), random);
    }

    /** A number of few bits that are 0, so that what is compared under it is equal now and then. */
    BigInteger sparse() {
      return number().and(number()).and(number()).and(number());
    }

    /** One that compares as the target now, or by chance. */
    BigInteger compare() {
      return random.nextBoolean() ? read(target, model) : number();
    }

    int opmod() {
      return switch (model.bytes()) {
        case Integer.BYTES -> WqeForm.MASKED_ATOMIC_4;
        case Long.BYTES -> WqeForm.MASKED_ATOMIC_8;
        default -> WqeForm.MASKED_ATOMIC_16;
      };
    }

    AtomicRequest swap(
        BigInteger compare,
        BigInteger swap,
        BigInteger compareMask,
        BigInteger swapMask,
        Function<ReliableOperations, AtomicScatter> stages) {
      return new AtomicRequest(
          model,
          WqeOpcode.ATOMIC_MASKED_CS,
          opmod(),
          join(swap, compare, swapMask, compareMask),
          stages,
          memory -> model.swap(memory, compare, swap, compareMask, swapMask));
    }

    AtomicRequest add(
        BigInteger add, BigInteger boundary, Function<ReliableOperations, AtomicScatter> stages) {
      return new AtomicRequest(
          model,
          WqeOpcode.ATOMIC_MASKED_FA,
          opmod(),
          join(add, boundary),
          stages,
          memory -> model.add(memory, add, boundary));
    }

    byte[] join(BigInteger... numbers) {
      ByteBuffer joined = ByteBuffer.allocate(numbers.length * model.bytes());
      for (BigInteger number : numbers) {
        joined.put(model.toBytes(number));
      }
      return joined.array();
    }
  }

  /** What a target holds now. */
  static BigInteger read(Buffer target, AtomicModel model) {
    return model.ofMemory(target.bytes(0, model.bytes()));
  }

  /**
   * Makes a request.
   *
   * @param operation one of the atomic ones
   * @param bytes size of its operands: 4, 8 or 16
   */
  static AtomicRequest of(Operation operation, int bytes, Random random, Buffer target) {
    Maker make = new Maker(new AtomicModel(bytes), random, target);
    return switch (operation) {
      case COMPARE_AND_SWAP -> compareAndSwap(make);
      case FETCH_AND_ADD -> fetchAndAdd(make);
      case MASKED_COMPARE_AND_SWAP_4, MASKED_COMPARE_AND_SWAP_8, MASKED_COMPARE_AND_SWAP_16 ->
          maskedSwap(make);
      case MASKED_FETCH_AND_ADD_4, MASKED_FETCH_AND_ADD_8, MASKED_FETCH_AND_ADD_16 ->
          maskedAdd(make);
      case AND -> and(make);
      case OR -> or(make);
      case XOR -> xor(make);
      case SWAP -> swap(make);
      default -> throw new IllegalArgumentException(operation + " is no atomic operation");
    };
  }

  private static AtomicRequest compareAndSwap(Maker make) {
    BigInteger compare = make.compare();
    BigInteger swap = make.number();
    BigInteger ones = make.model.ones();
    Buffer at = make.target;
    return new AtomicRequest(
        make.model,
        WqeOpcode.ATOMIC_CS,
        0,
        make.join(swap, compare),
        to -> to.compareAndSwap(at.address(0), at.rkey(), compare.longValue(), swap.longValue()),
        memory -> make.model.swap(memory, compare, swap, ones, ones));
  }

  private static AtomicRequest fetchAndAdd(Maker make) {
    BigInteger add = make.number();
    Buffer at = make.target;
    return new AtomicRequest(
        make.model,
        WqeOpcode.ATOMIC_FA,
        0,
        make.join(add, BigInteger.ZERO),
        to -> to.fetchAndAdd(at.address(0), at.rkey(), add.longValue()),
        memory -> make.model.add(memory, add, BigInteger.ZERO));
  }

  private static AtomicRequest maskedSwap(Maker make) {
    BigInteger compare = make.compare();
    BigInteger swap = make.number();
    BigInteger compared = make.sparse();
    BigInteger swapped = make.number();
    long at = make.target.address(0);
    int key = make.target.rkey();
    return make.swap(
        compare,
        swap,
        compared,
        swapped,
        to ->
            switch (make.model.bytes()) {
              case Integer.BYTES ->
                  to.maskedCompareAndSwap4(
                      at,
                      key,
                      compare.intValue(),
                      swap.intValue(),
                      compared.intValue(),
                      swapped.intValue());
              case Long.BYTES ->
                  to.maskedCompareAndSwap8(
                      at,
                      key,
                      compare.longValue(),
                      swap.longValue(),
                      compared.longValue(),
                      swapped.longValue());
              default ->
                  to.maskedCompareAndSwap16(
                      at,
                      key,
                      AtomicModel.bits(compare),
                      AtomicModel.bits(swap),
                      AtomicModel.bits(compared),
                      AtomicModel.bits(swapped));
            });
  }

  private static AtomicRequest maskedAdd(Maker make) {
    BigInteger add = make.number();
    BigInteger boundary = make.sparse();
    long at = make.target.address(0);
    int key = make.target.rkey();
    return make.add(
        add,
        boundary,
        to ->
            switch (make.model.bytes()) {
              case Integer.BYTES ->
                  to.maskedFetchAndAdd4(at, key, add.intValue(), boundary.intValue());
              case Long.BYTES ->
                  to.maskedFetchAndAdd8(at, key, add.longValue(), boundary.longValue());
              default ->
                  to.maskedFetchAndAdd16(
                      at, key, AtomicModel.bits(add), AtomicModel.bits(boundary));
            });
  }

  private static AtomicRequest and(Maker make) {
    BigInteger value = make.number();
    long at = make.target.address(0);
    int key = make.target.rkey();
    return make.swap(
        BigInteger.ZERO,
        value,
        BigInteger.ZERO,
        make.model.ones().andNot(value),
        to ->
            switch (make.model.bytes()) {
              case Integer.BYTES -> to.fetchAndAnd4(at, key, value.intValue());
              case Long.BYTES -> to.fetchAndAnd8(at, key, value.longValue());
              default -> to.fetchAndAnd16(at, key, AtomicModel.bits(value));
            });
  }

  private static AtomicRequest or(Maker make) {
    BigInteger value = make.number();
    long at = make.target.address(0);
    int key = make.target.rkey();
    return make.swap(
        BigInteger.ZERO,
        value,
        BigInteger.ZERO,
        value,
        to ->
            switch (make.model.bytes()) {
              case Integer.BYTES -> to.fetchAndOr4(at, key, value.intValue());
              case Long.BYTES -> to.fetchAndOr8(at, key, value.longValue());
              default -> to.fetchAndOr16(at, key, AtomicModel.bits(value));
            });
  }

  private static AtomicRequest xor(Maker make) {
    BigInteger value = make.number();
    long at = make.target.address(0);
    int key = make.target.rkey();
    return make.add(
        value,
        make.model.ones(),
        to ->
            switch (make.model.bytes()) {
              case Integer.BYTES -> to.fetchAndXor4(at, key, value.intValue());
              case Long.BYTES -> to.fetchAndXor8(at, key, value.longValue());
              default -> to.fetchAndXor16(at, key, AtomicModel.bits(value));
            });
  }

  private static AtomicRequest swap(Maker make) {
    BigInteger value = make.number();
    long at = make.target.address(0);
    int key = make.target.rkey();
    return make.swap(
        BigInteger.ZERO,
        value,
        BigInteger.ZERO,
        make.model.ones(),
        to ->
            switch (make.model.bytes()) {
              case Integer.BYTES -> to.swap4(at, key, value.intValue());
              case Long.BYTES -> to.swap8(at, key, value.longValue());
              default -> to.swap16(at, key, AtomicModel.bits(value));
            });
  }
}
