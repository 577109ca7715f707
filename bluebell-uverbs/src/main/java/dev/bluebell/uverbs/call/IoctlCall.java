package dev.bluebell.uverbs.call;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Attribute;
import dev.bluebell.hca.uverbs.CallAbi.Attr;
import dev.bluebell.hca.uverbs.CallAbi.IoctlHdr;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call of the ioctl form: a header and attributes. Mirrors {@code rdma/rdma_user_ioctl_cmds.h:
 * ib_uverbs_ioctl_hdr, ib_uverbs_attr}.
 */
public final class IoctlCall {
  private static final int MAX_BYTES = 4096;

  // rdma/ib_user_ioctl_verbs.h: rdma_driver_id.
  private static final int RDMA_DRIVER_MLX5 = 1;

  // rdma/rdma_user_ioctl_cmds.h: UVERBS_ATTR_F_*.
  private static final int MANDATORY = 1;
  private static final int VALID_OUTPUT = 1 << 1;

  private final ClientMemory memory;
  private final int object;
  private final int method;
  private final Map<Integer, Given> attributes = new HashMap<>();

  /** An attribute that the client passed, with its address in the client's memory. */
  private record Given(long address, int length, int flags, long data) {
    /** Short data are stored in the attribute itself. */
    boolean isInline() {
      return length <= Long.BYTES;
    }
  }

  private IoctlCall(ClientMemory memory, int object, int method) {
    this.memory = memory;
    this.object = object;
    this.method = method;
  }

  /** Reads the header and attributes at an address of the client. */
  public static IoctlCall read(ClientMemory memory, long address) {
    int headerBytes = IoctlHdr.STRUCTURE.bytes();
    View header = View.over(memory.read(address, headerBytes));
    int bytes = header.getInt(IoctlHdr.LENGTH);
    int count = header.getInt(IoctlHdr.NUM_ATTRS);
    Refusal.require(
        bytes <= MAX_BYTES && bytes == headerBytes + count * Attr.STRUCTURE.bytes(),
        Errno.EINVAL,
        "an ioctl of %d bytes can't have %d attributes",
        bytes,
        count);
    Refusal.require(
        !header.isSet(IoctlHdr.RESERVED1) && !header.isSet(IoctlHdr.RESERVED2),
        Errno.EPROTONOSUPPORT,
        "reserved fields of an ioctl are not zero");
    Refusal.require(
        header.getInt(IoctlHdr.DRIVER_ID) == RDMA_DRIVER_MLX5,
        Errno.EINVAL,
        "driver_id %d is not that of mlx5",
        header.getInt(IoctlHdr.DRIVER_ID));
    IoctlCall call =
        new IoctlCall(memory, header.getInt(IoctlHdr.OBJECT_ID), header.getInt(IoctlHdr.METHOD_ID));
    call.readAttributes(address + headerBytes, count);
    return call;
  }

  private void readAttributes(long address, int count) {
    View list = View.over(memory.read(address, count * Attr.STRUCTURE.bytes()));
    for (int i = 0; i < count; i++) {
      int offset = i * Attr.STRUCTURE.bytes();
      View attr = list.at(offset);
      Given given =
          new Given(
              address + offset,
              attr.getInt(Attr.LEN),
              attr.getInt(Attr.FLAGS),
              attr.get(Attr.DATA));
      Refusal.require(
          attributes.put(attr.getInt(Attr.ATTR_ID), given) == null,
          Errno.EINVAL,
          "attribute 0x%x comes twice",
          attr.getInt(Attr.ATTR_ID));
    }
  }

  public int object() {
    return object;
  }

  public int method() {
    return method;
  }

  /** Rejects mandatory attributes that the method does not know. */
  public void expect(Method expected) {
    attributes.forEach(
        (id, given) ->
            Refusal.require(
                expected.knows(id) || (given.flags() & MANDATORY) == 0,
                Errno.EPROTONOSUPPORT,
                "%s has no attribute 0x%x",
                expected.name(),
                id));
  }

  public boolean has(Attribute attribute) {
    return attributes.containsKey(attribute.id());
  }

  private Given given(Attribute attribute) {
    @Nullable Given given = attributes.get(attribute.id());
    if (given == null) {
      throw new Refusal(Errno.EINVAL, "%s is missing".formatted(attribute.name()));
    }
    return given;
  }

  /** A mandatory number, handle or descriptor. */
  public long number(Attribute attribute) {
    Given given = given(attribute);
    return given.isInline()
        ? given.data()
        : View.over(memory.read(given.data(), Long.BYTES)).get(scalar(Long.BYTES));
  }

  public long number(Attribute attribute, long otherwise) {
    return has(attribute) ? number(attribute) : otherwise;
  }

  /** A mandatory handle or 32-bit number. */
  public int handle(Attribute attribute) {
    return (int) number(attribute);
  }

  /** A 32-bit number. */
  public int handle(Attribute attribute, int otherwise) {
    return (int) number(attribute, otherwise);
  }

  /** A structure; fields that the client did not pass are zero. */
  public View structure(Attribute attribute, Structure structure) {
    byte[] bytes = bytes(attribute);
    return View.over(Arrays.copyOf(bytes, Math.max(bytes.length, structure.bytes())));
  }

  /** The bytes of an attribute; empty when it is absent. */
  public byte[] bytes(Attribute attribute) {
    if (!has(attribute)) {
      return new byte[0];
    }
    Given given = given(attribute);
    return given.isInline()
        ? Arrays.copyOf(encode(Long.BYTES, given.data()), given.length())
        : memory.read(given.data(), given.length());
  }

  /** Bytes of room that the client has for an attribute; 0 when the client did not pass it. */
  public int room(Attribute attribute) {
    return roomFor(attribute).bytes();
  }

  /** The room that the client has for an attribute. */
  public WriteCall.Room roomFor(Attribute attribute) {
    return has(attribute)
        ? new WriteCall.Room(given(attribute).data(), given(attribute).length())
        : WriteCall.Room.NONE;
  }

  /** Writes an output, truncated to the client's room, if the client passed the attribute. */
  public void put(Attribute attribute, View output) {
    put(attribute, output.bytes());
  }

  /** Like {@link #put(Attribute, View)}. */
  public void put(Attribute attribute, byte[] output) {
    if (has(attribute)) {
      Given given = given(attribute);
      memory.write(given.data(), Arrays.copyOf(output, given.length()));
      mark(given);
    }
  }

  public void putShort(Attribute attribute, int value) {
    put(attribute, encode(Short.BYTES, value));
  }

  public void putInt(Attribute attribute, int value) {
    put(attribute, encode(Integer.BYTES, value & 0xffffffffL));
  }

  public void putLong(Attribute attribute, long value) {
    put(attribute, encode(Long.BYTES, value));
  }

  /** Gives the client the handle or descriptor of a new object. */
  public void putHandle(Attribute attribute, int handle) {
    memory.write(
        given(attribute).address() + Attr.DATA.offset(),
        encode(Attr.DATA.bytes(), handle & 0xffffffffL));
  }

  /** Marks an output that was written through {@link #roomFor} as valid. */
  public void markWritten(Attribute attribute) {
    if (has(attribute)) {
      mark(given(attribute));
    }
  }

  private void mark(Given given) {
    memory.write(
        given.address() + Attr.FLAGS.offset(),
        encode(Attr.FLAGS.bytes(), given.flags() | VALID_OUTPUT));
  }

  private static byte[] encode(int bytes, long value) {
    return View.over(new byte[bytes]).set(scalar(bytes), value).bytes();
  }

  private static Field scalar(int bytes) {
    return Field.littleEndian("a number", 0, bytes);
  }
}
