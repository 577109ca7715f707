package dev.bluebell.uverbs;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A call of the ioctl form: a header and attributes. Mirrors {@code rdma_user_ioctl_cmds.h:
 * ib_uverbs_ioctl_hdr, ib_uverbs_attr}.
 */
final class IoctlCall {
  /** The driver's input and output, in every method that has them. */
  static final int UHW_IN = 0x1000;

  static final int UHW_OUT = 0x1001;

  private static final int HEADER_BYTES = 24;
  private static final int ATTRIBUTE_BYTES = 16;
  private static final int MAX_BYTES = 4096;
  private static final int DRIVER_MLX5 = 1;
  private static final int MANDATORY = 1;
  private static final int VALID_OUTPUT = 2;
  private static final int INLINE_BYTES = 8;

  private final ProgramMemory memory;
  private final int object;
  private final int method;
  private final Map<Integer, Attribute> attributes = new HashMap<>();

  /** An attribute, and where it stands in the program's memory. */
  private record Attribute(long address, int length, int flags, long data) {}

  private IoctlCall(ProgramMemory memory, int object, int method) {
    this.memory = memory;
    this.object = object;
    this.method = method;
  }

  /** Reads the header and attributes at an address of the program. */
  static IoctlCall read(ProgramMemory memory, long address) {
    Fields header = Fields.over(memory.read(address, HEADER_BYTES));
    int bytes = header.u16(0);
    int count = header.u16(6);
    Refusal.require(
        bytes <= MAX_BYTES && bytes == HEADER_BYTES + count * ATTRIBUTE_BYTES,
        Errno.EINVAL,
        "an ioctl of %d bytes can't have %d attributes",
        bytes,
        count);
    Refusal.require(
        header.u64(8) == 0 && header.u32(20) == 0,
        Errno.EPROTONOSUPPORT,
        "reserved fields of an ioctl are not zero");
    Refusal.require(
        header.u32(16) == DRIVER_MLX5,
        Errno.EINVAL,
        "driver_id %d is not that of mlx5",
        header.u32(16));
    IoctlCall call = new IoctlCall(memory, header.u16(2), header.u16(4));
    Fields list = Fields.over(memory.read(address + HEADER_BYTES, count * ATTRIBUTE_BYTES));
    for (int i = 0; i < count; i++) {
      int at = i * ATTRIBUTE_BYTES;
      Attribute attribute =
          new Attribute(
              address + HEADER_BYTES + at, list.u16(at + 2), list.u16(at + 4), list.u64(at + 8));
      Refusal.require(
          call.attributes.put(list.u16(at), attribute) == null,
          Errno.EINVAL,
          "attribute 0x%x comes twice",
          list.u16(at));
    }
    return call;
  }

  int object() {
    return object;
  }

  int method() {
    return method;
  }

  /** Refuses attributes that the method does not know and the program insists on. */
  void expect(Set<Integer> known) {
    attributes.forEach(
        (id, attribute) ->
            Refusal.require(
                known.contains(id) || (attribute.flags() & MANDATORY) == 0,
                Errno.EPROTONOSUPPORT,
                "object 0x%x method 0x%x has no attribute 0x%x",
                object,
                method,
                id));
  }

  boolean has(int id) {
    return attributes.containsKey(id);
  }

  private Attribute attribute(int id) {
    @Nullable Attribute attribute = attributes.get(id);
    if (attribute == null) {
      throw new Refusal(
          Errno.EINVAL,
          "object 0x%x method 0x%x lacks attribute 0x%x".formatted(object, method, id));
    }
    return attribute;
  }

  /** A number, handle or descriptor, which must be there. */
  long number(int id) {
    Attribute attribute = attribute(id);
    return attribute.length() <= INLINE_BYTES
        ? attribute.data()
        : Fields.over(memory.read(attribute.data(), INLINE_BYTES)).u64(0);
  }

  long number(int id, long otherwise) {
    return has(id) ? number(id) : otherwise;
  }

  /** A handle or 32-bit number, which must be there. */
  int handle(int id) {
    return (int) number(id);
  }

  /** A structure; when it is shorter than {@code size}, the rest is zero. */
  Fields structure(int id, int size) {
    if (!has(id)) {
      return Fields.of(size);
    }
    Attribute attribute = attribute(id);
    byte[] bytes =
        attribute.length() <= INLINE_BYTES
            ? Arrays.copyOf(
                Fields.of(INLINE_BYTES).u64(0, attribute.data()).bytes(), attribute.length())
            : memory.read(attribute.data(), attribute.length());
    return Fields.atLeast(bytes, size);
  }

  /** Room that the program has for an attribute; 0 when it does not want it. */
  int room(int id) {
    return has(id) ? attribute(id).length() : 0;
  }

  /** Writes an output, or as much of it as there is room for, if the program wants it. */
  void put(int id, Fields output) {
    if (has(id)) {
      Attribute attribute = attribute(id);
      memory.write(attribute.data(), Arrays.copyOf(output.bytes(), attribute.length()));
      mark(attribute);
    }
  }

  void putInt(int id, int value) {
    put(id, Fields.of(Integer.BYTES).u32(0, value));
  }

  void putLong(int id, long value) {
    put(id, Fields.of(Long.BYTES).u64(0, value));
  }

  /** Tells the handle or descriptor of a new object. */
  void putHandle(int id, int handle) {
    memory.write(
        attribute(id).address() + 8, Fields.of(Long.BYTES).u64(0, handle & 0xffffffffL).bytes());
  }

  private void mark(Attribute attribute) {
    memory.write(
        attribute.address() + 4,
        Fields.of(Short.BYTES).u16(0, attribute.flags() | VALID_OUTPUT).bytes());
  }

  WriteCall.Room roomFor(int id) {
    return has(id)
        ? new WriteCall.Room(attribute(id).data(), attribute(id).length())
        : WriteCall.Room.NONE;
  }

  /** Tells that outputs which were written otherwise are valid. */
  void markWritten(int id) {
    if (has(id)) {
      mark(attribute(id));
    }
  }
}
