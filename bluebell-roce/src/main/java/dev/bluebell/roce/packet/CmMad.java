package dev.bluebell.roce.packet;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * The layout of the communication manager's management datagrams, which the queue pairs with number
 * 1 exchange. A datagram has a common header ({@link #HEADER}), then the body of its message, which
 * ends with private data. Source: chapter 12 of volume 1 of the InfiniBand specification, {@code
 * ib_mad.h: struct ib_mad_hdr}, {@code ibta_vol1_c12.h}.
 */
public final class CmMad {
  /** Bytes of each datagram. */
  public static final int BYTES = 256;

  /** The queue pair that sends and receives them. */
  public static final int QPN = 1;

  /** Queue key of that queue pair. */
  public static final int QUEUE_KEY = 0x8001_0000;

  /** Base version 1, class of the communication manager, its version 2, method Send. */
  private static final int SEND = 0x01_07_02_03;

  /** The common header. */
  public static final Header HEADER = new Header("mad");

  private static final Field FORM = HEADER.hex("form", 32);
  public static final Field STATUS = HEADER.hex("status", 16);
  public static final Field CLASS_SPECIFIC = HEADER.hex("spec", 16);
  public static final Field TRANSACTION = HEADER.hex("tid", 64);
  public static final Field ATTRIBUTE = HEADER.hex("attr", 16);
  public static final Field RESERVED = HEADER.hex("resv", 16);
  public static final Field MODIFIER = HEADER.hex("attrmod", 32);

  /** Offset of the body. */
  public static final int BODY = HEADER.bytes();

  private CmMad() {}

  /** A message: its attribute, and the layout of its body before the private data. */
  public enum Message {
    REQ(0x10, "ConnectRequest", Req.HEADER),
    MRA(0x11, "MsgRcptAck", Mra.HEADER),
    REJ(0x12, "ConnectReject", Rej.HEADER),
    REP(0x13, "ConnectReply", Rep.HEADER),
    RTU(0x14, "ReadyToUse", Ids.HEADER),
    DREQ(0x15, "DisconnectRequest", Dreq.HEADER),
    DREP(0x16, "DisconnectReply", Ids.HEADER),
    SIDR_REQ(0x17, "ServiceIDResReq", SidrReq.HEADER),
    SIDR_REP(0x18, "ServiceIDResReqResp", SidrRep.HEADER);

    private final int attribute;
    private final String title;
    private final Header body;

    Message(int attribute, String title, Header body) {
      this.attribute = attribute;
      this.title = title;
      this.body = body;
    }

    /** Its name in the InfiniBand specification. */
    public String title() {
      return title;
    }

    /** Its fields before the private data, from byte {@link CmMad#BODY} of the datagram on. */
    public Header body() {
      return body;
    }

    /** Offset of its private data in the datagram. */
    public int privateDataAt() {
      return BODY + body.bytes();
    }

    /** Bytes of private data: the rest of the datagram. */
    public int privateDataBytes() {
      return BYTES - privateDataAt();
    }

    /** Initializes a datagram as this message, with all other fields 0. */
    public void begin(ByteBuffer buffer, int mad, long transaction) {
      for (int at = 0; at < BYTES; at += Long.BYTES) {
        buffer.putLong(mad + at, 0);
      }
      FORM.put(buffer, mad, SEND);
      TRANSACTION.put(buffer, mad, transaction);
      ATTRIBUTE.put(buffer, mad, attribute);
    }

    /** True when a datagram is this message. */
    public boolean is(ByteBuffer buffer, int mad) {
      return isSend(buffer, mad) && ATTRIBUTE.getInt(buffer, mad) == attribute;
    }
  }

  /** True for a communication manager datagram that sends a message. */
  public static boolean isSend(ByteBuffer buffer, int mad) {
    return FORM.getInt(buffer, mad) == SEND;
  }

  /** The type of message in a datagram; empty for a type that is not listed. */
  public static Optional<Message> message(ByteBuffer buffer, int mad) {
    return Arrays.stream(Message.values()).filter(each -> each.is(buffer, mad)).findFirst();
  }

  /** The communication ids at the start of all messages except REQ and those of SIDR. */
  public static final class Ids {
    public static final Header HEADER = new Header("ids");

    /** Communication id of the sender of this message. */
    public static final Field LOCAL = local(HEADER);

    /** Communication id of the receiver of this message. */
    public static final Field REMOTE = remote(HEADER);

    private Ids() {}

    private static Field local(Header header) {
      return header.hex("local", 32);
    }

    private static Field remote(Header header) {
      return header.hex("remote", 32);
    }

    private static void add(Header header) {
      local(header);
      remote(header);
    }
  }

  /** A request for a connection. */
  public static final class Req {
    public static final Header HEADER = new Header("req");

    /** Communication id of the sender. */
    public static final Field LOCAL_ID = Ids.local(HEADER);

    public static final Field RESERVED = HEADER.hex("resv", 8);
    public static final Field VENDOR_ID = HEADER.hex("vendor", 24);
    public static final Field SERVICE_ID = HEADER.hex("service", 64);
    public static final Field CA_GUID = HEADER.hex("guid", 64);
    public static final Field RESERVED_2 = HEADER.hex("resv2", 32);
    public static final Field Q_KEY = HEADER.hex("qkey", 32);
    public static final Field QPN = HEADER.hex("qpn", 24);
    public static final Field RESPONDER_RESOURCES = HEADER.decimal("resources", 8);
    public static final Field LOCAL_EECN = HEADER.hex("leecn", 24);
    public static final Field INITIATOR_DEPTH = HEADER.decimal("depth", 8);
    public static final Field REMOTE_EECN = HEADER.hex("reecn", 24);

    /** Maximum time in which the receiver answers: 4.096 µs · 2<sup>value</sup>. */
    public static final Field REMOTE_RESPONSE_TIMEOUT = HEADER.decimal("rtimeout", 5);

    /** 0 RC, 1 UC, 3 see {@link #EXTENDED_TRANSPORT}. */
    public static final Field TRANSPORT = HEADER.decimal("transport", 2);

    public static final Field FLOW_CONTROL = HEADER.decimal("flowctrl", 1);

    /** PSN that the receiver starts to send with. */
    public static final Field STARTING_PSN = HEADER.hex("psn", 24);

    /** Maximum time in which the sender answers: 4.096 µs · 2<sup>value</sup>. */
    public static final Field LOCAL_RESPONSE_TIMEOUT = HEADER.decimal("ltimeout", 5);

    public static final Field RETRY_COUNT = HEADER.decimal("retries", 3);
    public static final Field P_KEY = HEADER.hex("pkey", 16);

    /** Code of the path MTU, 1 … 5. */
    public static final Field MTU = HEADER.decimal("mtu", 4);

    public static final Field RDC = HEADER.decimal("rdc", 1);
    public static final Field RNR_RETRY_COUNT = HEADER.decimal("rnrretries", 3);
    public static final Field MAX_CM_RETRIES = HEADER.decimal("cmretries", 4);
    public static final Field SRQ = HEADER.decimal("srq", 1);

    /** 1 for XRC. */
    public static final Field EXTENDED_TRANSPORT = HEADER.decimal("exttransport", 3);

    public static final Field LOCAL_LID = HEADER.hex("llid", 16);
    public static final Field REMOTE_LID = HEADER.hex("rlid", 16);
    public static final Field LOCAL_GID = HEADER.field("lgid", 128, Form.IPV6);
    public static final Field REMOTE_GID = HEADER.field("rgid", 128, Form.IPV6);
    public static final Field FLOW_LABEL = HEADER.hex("flow", 20);
    public static final Field RESERVED_3 = HEADER.hex("resv3", 6);
    public static final Field RATE = HEADER.decimal("rate", 6);
    public static final Field TRAFFIC_CLASS = HEADER.hex("tclass", 8);
    public static final Field HOP_LIMIT = HEADER.decimal("hops", 8);
    public static final Field SL = HEADER.decimal("sl", 4);
    public static final Field SUBNET_LOCAL = HEADER.decimal("subnetlocal", 1);
    public static final Field RESERVED_4 = HEADER.hex("resv4", 3);

    /** Acknowledge timeout of a queue pair on this path: 4.096 µs · 2<sup>value</sup>. */
    public static final Field ACK_TIMEOUT = HEADER.decimal("acktimeout", 5);

    public static final Field RESERVED_5 = HEADER.hex("resv5", 3);

    // The alternate path, for path migration, has the same fields as the first.
    static {
      HEADER.hex("altlids", 32);
      HEADER.field("altlgid", 128, Form.IPV6);
      HEADER.field("altrgid", 128, Form.IPV6);
      HEADER.hex("altroute", 64);
    }

    private Req() {}
  }

  /** An acknowledgement of a message that will be answered later. */
  public static final class Mra {
    public static final Header HEADER = new Header("mra");

    static {
      Ids.add(HEADER);
    }

    /** Which message: 0 REQ, 1 REP, 2 another. */
    public static final Field MESSAGE = HEADER.decimal("msg", 2);

    public static final Field RESERVED = HEADER.hex("resv", 6);

    /** Maximum time until the answer from now on: 4.096 µs · 2<sup>value</sup>. */
    public static final Field SERVICE_TIMEOUT = HEADER.decimal("timeout", 5);

    public static final Field RESERVED_2 = HEADER.hex("resv2", 3);

    private Mra() {}
  }

  /** A rejection. */
  public static final class Rej {
    public static final Header HEADER = new Header("rej");

    static {
      Ids.add(HEADER);
    }

    /** Which message: 0 REQ, 1 REP, 2 no message. */
    public static final Field MESSAGE = HEADER.decimal("msg", 2);

    public static final Field RESERVED = HEADER.hex("resv", 6);
    public static final Field ARI_BYTES = HEADER.decimal("aribytes", 7);
    public static final Field RESERVED_2 = HEADER.hex("resv2", 1);
    public static final Field REASON = HEADER.decimal("reason", 16);

    /** The first 8 of 72 bytes of additional information: a GUID, for reason 4. */
    public static final Field ARI = HEADER.hex("ari", 64);

    static {
      addWords(HEADER, "ari", 4);
    }

    private Rej() {}
  }

  /** The answer to a request for a connection. */
  public static final class Rep {
    public static final Header HEADER = new Header("rep");

    static {
      Ids.add(HEADER);
    }

    public static final Field Q_KEY = HEADER.hex("qkey", 32);
    public static final Field QPN = HEADER.hex("qpn", 24);
    public static final Field VENDOR_ID_HIGH = HEADER.hex("vendorhigh", 8);

    /** The queue pair of XRC's target, instead of {@link #QPN}. */
    public static final Field LOCAL_EECN = HEADER.hex("leecn", 24);

    public static final Field VENDOR_ID_MIDDLE = HEADER.hex("vendormid", 8);

    /** PSN that the receiver starts to send with. */
    public static final Field STARTING_PSN = HEADER.hex("psn", 24);

    public static final Field VENDOR_ID_LOW = HEADER.hex("vendorlow", 8);
    public static final Field RESPONDER_RESOURCES = HEADER.decimal("resources", 8);
    public static final Field INITIATOR_DEPTH = HEADER.decimal("depth", 8);
    public static final Field TARGET_ACK_DELAY = HEADER.decimal("ackdelay", 5);
    public static final Field FAILOVER = HEADER.decimal("failover", 2);
    public static final Field FLOW_CONTROL = HEADER.decimal("flowctrl", 1);
    public static final Field RNR_RETRY_COUNT = HEADER.decimal("rnrretries", 3);
    public static final Field SRQ = HEADER.decimal("srq", 1);
    public static final Field RESERVED = HEADER.hex("resv", 4);
    public static final Field CA_GUID = HEADER.hex("guid", 64);

    private Rep() {}
  }

  /** A request to end a connection. */
  public static final class Dreq {
    public static final Header HEADER = new Header("dreq");

    static {
      Ids.add(HEADER);
    }

    /** The receiver's queue pair. */
    public static final Field REMOTE_QPN = HEADER.hex("qpn", 24);

    public static final Field RESERVED = HEADER.hex("resv", 8);

    private Dreq() {}
  }

  /** A query for the queue pair of a service. */
  public static final class SidrReq {
    public static final Header HEADER = new Header("sidrreq");

    public static final Field REQUEST_ID = HEADER.hex("request", 32);
    public static final Field P_KEY = HEADER.hex("pkey", 16);
    public static final Field RESERVED = HEADER.hex("resv", 16);
    public static final Field SERVICE_ID = HEADER.hex("service", 64);

    private SidrReq() {}
  }

  /** The answer to such a query. */
  public static final class SidrRep {
    public static final Header HEADER = new Header("sidrrep");

    public static final Field REQUEST_ID = HEADER.hex("request", 32);

    /** 0 found, 1 service not supported, 2 rejected, 3 no queue pair. */
    public static final Field STATUS = HEADER.decimal("status", 8);

    public static final Field INFO_BYTES = HEADER.decimal("infobytes", 8);
    public static final Field VENDOR_ID_HIGH = HEADER.hex("vendorhigh", 16);
    public static final Field QPN = HEADER.hex("qpn", 24);
    public static final Field VENDOR_ID_LOW = HEADER.hex("vendorlow", 8);
    public static final Field SERVICE_ID = HEADER.hex("service", 64);
    public static final Field Q_KEY = HEADER.hex("qkey", 32);
    public static final Field INFO = HEADER.hex("info", 64);

    static {
      addWords(HEADER, "info", 4);
    }

    private SidrRep() {}
  }

  /**
   * The addresses that Linux puts first in the private data of REQ and SIDR_REQ. Source: {@code
   * cma.c: struct cma_hdr}.
   */
  public static final class IpAddresses {
    public static final Header HEADER = new Header("cma");

    /** 0. */
    public static final Field CMA_VERSION = HEADER.decimal("version", 8);

    /** 4 or 6. */
    public static final Field IP_VERSION = HEADER.decimal("ip", 4);

    public static final Field RESERVED = HEADER.hex("resv", 4);

    /** Port of the sender; that of the receiver is in the service id. */
    public static final Field PORT = HEADER.decimal("port", 16);

    /** Address of the sender; IPv4 has the last four bytes, and the others are 0. */
    public static final Field SOURCE = HEADER.field("src", 128, Form.IPV6);

    public static final Field DESTINATION = HEADER.field("dst", 128, Form.IPV6);

    private IpAddresses() {}
  }

  private static void addWords(Header header, String name, int count) {
    for (int i = 1; i <= count; i++) {
      header.field(name + i, 128, Form.HEX);
    }
  }
}
