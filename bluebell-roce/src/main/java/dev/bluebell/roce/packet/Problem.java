package dev.bluebell.roce.packet;

/** Reasons why bytes are not a RoCE packet, or not one that a receiver accepts. */
public enum Problem {
  NONE("nothing is wrong with it"),
  NO_LINK_HEADER("it ends within its link header"),
  OTHER_ETHER_TYPE("it is neither IPv4 nor IPv6 nor RoCE v1"),
  NO_NETWORK_HEADER("it ends within its IP header, GRH or LRH"),
  NETWORK_VERSION("the version in its IP header or GRH is wrong"),
  IPV4_OPTIONS("its IPv4 header has options or less than 20 bytes: RoCEv2 allows 20 bytes only"),
  FRAGMENT("it is an IP fragment: RoCEv2 packets are never fragmented"),
  NOT_UDP("it is not UDP"),
  NOT_ROCE("it is UDP to another port than 4791"),
  NETWORK_LENGTH("the length in its IP header, GRH or LRH is larger than the packet, or too small"),
  UDP_LENGTH("the length in its UDP header is more than IP carries, or too small for BTH and ICRC"),
  NO_BTH("its captured part ends within BTH or the headers after it"),
  TRANSPORT_VERSION("TVer is not 0: receivers drop it"),
  OPCODE("its opcode is reserved, vendor-specific or of reliable datagrams"),
  NO_ROOM("it is too short for the headers of its opcode, its padding and its ICRC");

  private final String sentence;

  Problem(String sentence) {
    this.sentence = sentence;
  }

  /** The problem in a sentence without a full stop. */
  public String sentence() {
    return sentence;
  }

  /** True when the bytes belong to another protocol, which is not an error. */
  public boolean isOtherProtocol() {
    return this == OTHER_ETHER_TYPE || this == NOT_UDP || this == NOT_ROCE;
  }
}
