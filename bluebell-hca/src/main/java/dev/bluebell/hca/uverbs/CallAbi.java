package dev.bluebell.hca.uverbs;

import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;

/** The headers of calls, and the form of ioctl attributes. */
public final class CallAbi {
  /**
   * The 8 bytes that every write command starts with. Mirrors {@code rdma/ib_user_verbs.h:
   * ib_uverbs_cmd_hdr}.
   */
  public static final class CmdHdr {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_cmd_hdr", 8);
    public static final Field COMMAND = STRUCTURE.u32("command", 0);
    public static final Field IN_WORDS = STRUCTURE.u16("in_words", 4);
    public static final Field OUT_WORDS = STRUCTURE.u16("out_words", 6);

    private CmdHdr() {}
  }

  /**
   * The 16 bytes that follow {@link CmdHdr} in the extended form of a write command. Mirrors {@code
   * rdma/ib_user_verbs.h: ib_uverbs_ex_cmd_hdr}.
   */
  public static final class ExCmdHdr {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_ex_cmd_hdr", 16);
    public static final Field RESPONSE = STRUCTURE.u64("response", 0);
    public static final Field PROVIDER_IN_WORDS = STRUCTURE.u16("provider_in_words", 8);
    public static final Field PROVIDER_OUT_WORDS = STRUCTURE.u16("provider_out_words", 10);
    public static final Field CMD_HDR_RESERVED = STRUCTURE.u32("cmd_hdr_reserved", 12);

    private ExCmdHdr() {}
  }

  /**
   * The 24 bytes that every ioctl starts with; its attributes follow. Mirrors {@code
   * rdma/rdma_user_ioctl_cmds.h: ib_uverbs_ioctl_hdr}.
   */
  public static final class IoctlHdr {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_ioctl_hdr", 24);
    public static final Field LENGTH = STRUCTURE.u16("length", 0);
    public static final Field OBJECT_ID = STRUCTURE.u16("object_id", 2);
    public static final Field METHOD_ID = STRUCTURE.u16("method_id", 4);
    public static final Field NUM_ATTRS = STRUCTURE.u16("num_attrs", 6);
    public static final Field RESERVED1 = STRUCTURE.u64("reserved1", 8);
    public static final Field DRIVER_ID = STRUCTURE.u32("driver_id", 16);
    public static final Field RESERVED2 = STRUCTURE.u32("reserved2", 20);

    private IoctlHdr() {}
  }

  /**
   * An attribute of an ioctl. It contains up to 8 bytes of data, or points to longer data. Mirrors
   * {@code rdma/rdma_user_ioctl_cmds.h: ib_uverbs_attr}.
   */
  public static final class Attr {
    public static final Structure STRUCTURE = Structure.littleEndian("ib_uverbs_attr", 16);
    public static final Field ATTR_ID = STRUCTURE.u16("attr_id", 0);
    public static final Field LEN = STRUCTURE.u16("len", 2);
    public static final Field FLAGS = STRUCTURE.u16("flags", 4);
    public static final Field DATA = STRUCTURE.u64("data", 8);

    private Attr() {}
  }

  /**
   * UVERBS_METHOD_INVOKE_WRITE: a write command, sent as an ioctl. Mirrors {@code
   * rdma/ib_user_ioctl_cmds.h: uverbs_attrs_invoke_write_cmd_attr_ids}.
   */
  public static final class InvokeWriteAttrs {
    public static final Method METHOD =
        new Method(IoctlObject.DEVICE, "UVERBS_METHOD_INVOKE_WRITE", 0);
    public static final Attribute CORE_IN = METHOD.attribute("UVERBS_ATTR_CORE_IN", 0);
    public static final Attribute CORE_OUT = METHOD.attribute("UVERBS_ATTR_CORE_OUT", 1);
    public static final Attribute WRITE_CMD = METHOD.attribute("UVERBS_ATTR_WRITE_CMD", 2);
    public static final Attribute UHW_IN = METHOD.attribute("UVERBS_ATTR_UHW_IN", 0x1000);
    public static final Attribute UHW_OUT = METHOD.attribute("UVERBS_ATTR_UHW_OUT", 0x1001);

    private InvokeWriteAttrs() {}
  }

  private CallAbi() {}
}
