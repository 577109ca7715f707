package dev.bluebell.connect;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** Clients of two device processes, whose connection managers reach each other over the network. */
class RdmaCmNetworkTest extends RdmaCmSentences {
  /** A loopback address that tests of other processes hardly use at the same time. */
  private static String address(int last) {
    long pid = ProcessHandle.current().pid();
    return "127.%d.%d.%d".formatted(192 + (pid >>> 8 & 0x3f), pid & 0xff, last);
  }

  /** Further options of both devices, each with a comma before it. */
  String options() {
    return "";
  }

  @Override
  List<String> devices() {
    return List.of(",listen=" + address(2) + options(), ",listen=" + address(3) + options());
  }

  @Override
  InetAddress nearHost() {
    return new InetSocketAddress(address(2), 0).getAddress();
  }

  @Override
  InetSocketAddress address() {
    return new InetSocketAddress(address(3), 0);
  }
}
