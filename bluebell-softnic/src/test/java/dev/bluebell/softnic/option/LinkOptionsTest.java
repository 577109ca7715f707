package dev.bluebell.softnic.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.LinkLayer;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The options for the link. */
class LinkOptionsTest {

  @Test
  void anMtuAndAnIdentityAreTaken() {
    assertThat(SoftNicOptions.parse("mtu=1024,identity=7").link())
        .isEqualTo(
            new LinkOptions(
                LinkLayer.ETHERNET,
                7,
                1024,
                0,
                List.of(0xffff),
                null,
                false,
                null,
                CongestionControl.OFF));
    assertThat(SoftNicOptions.DEFAULT.link())
        .isEqualTo(
            new LinkOptions(
                LinkLayer.ETHERNET,
                0,
                4096,
                0,
                List.of(0xffff),
                null,
                false,
                null,
                CongestionControl.OFF));
  }

  @Test
  void aCableOfFramesHasTwoPorts() {
    LinkOptions link = SoftNicOptions.parse("listen=10.0.0.1,frames=6002:6001").link();
    assertThat(link.frames()).isEqualTo(new FramePorts(6002, 6001)).hasToString("6002:6001");
    assertThat(link.networkMtu()).isEqualTo(4096);
  }

  @Test
  void congestionControlNeedsANetwork() {
    assertThat(SoftNicOptions.parse("listen=127.0.0.2,congestion=dcqcn").link().congestion())
        .isEqualTo(CongestionControl.DCQCN);
    assertThat(SoftNicOptions.parse("congestion=off").link()).isEqualTo(LinkOptions.DEFAULT);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SoftNicOptions.parse("congestion=dcqcn"))
        .withMessageContaining("add listen=ADDRESS");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SoftNicOptions.parse("listen=127.0.0.2,congestion=on"))
        .withMessageContaining("it must be dcqcn or off");
  }

  @Test
  void otherMtusAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SoftNicOptions.parse("mtu=1500"))
        .withMessageContaining("mtu=1500")
        .withMessageContaining("over a network of 1500 bytes, use 1024");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SoftNicOptions.DEFAULT.withMtu(1500))
        .withMessageContaining("not 1500");
  }

  @Test
  void otherIdentitiesAreRefused() {
    for (String value : new String[] {"0", "16777215", "x", "99999999"}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> SoftNicOptions.parse("identity=" + value))
          .withMessageContaining("from 1 to 16777214");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SoftNicOptions.DEFAULT.withIdentity(-1))
        .withMessageContaining("identity=-1");
  }

  @Test
  void anInfiniBandPortHasPathBitsAndPartitions() {
    assertThat(SoftNicOptions.parse("lmc=2,pkeys=0xffff+0x8001+7,link=infiniband,mtu=2048").link())
        .isEqualTo(
            new LinkOptions(
                LinkLayer.INFINIBAND,
                0,
                2048,
                2,
                List.of(0xffff, 0x8001, 7),
                null,
                false,
                null,
                CongestionControl.OFF));
    assertThat(SoftNicOptions.parse("link=ethernet").link()).isEqualTo(LinkOptions.DEFAULT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "link=ib | link=ib of device soft is unknown; it must be ethernet or infiniband",
        "link=infiniband,lmc=8 | lmc=8 of device soft: it must be a number of bits from 0 to 7",
        "link=infiniband,lmc=x | lmc=x of device soft: it must be a number of bits from 0 to 7",
        "link=infiniband,pkeys= | pkeys= of device soft: partition keys must be hexadecimal",
        "link=infiniband,pkeys=0x10000 | such as 0xffff+0x8001",
        "frames=6002 | frames=6002 of device soft: it must name two UDP ports of 127.0.0.1",
        "frames=6001:6001 | frames=6001:6001 of device soft: it must name two different UDP ports",
        "frames=0:6001 | each from 1 to 65535",
        "frames=6001:65536 | each from 1 to 65535",
        "frames=6002:6001 | needs an address that other hosts send to: add listen=ADDRESS",
        "frames=6002:6001,listen=127.0.0.2 | such as 10.0.0.1, and leave out hairpin",
        "frames=6002:6001,listen=10.0.0.1,hairpin=on | and leave out hairpin",
        "lmc=1 | lmc and pkeys of device soft are options of an InfiniBand port: add"
            + " link=infiniband",
        "pkeys=0x8001 | add link=infiniband"
      })
  void otherValuesAreRefused(String text, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SoftNicOptions.parse(text))
        .withMessageContaining(why);
  }

  @Test
  void thePartitionKeyTableHas128Entries() {
    SoftNicOptions options = SoftNicOptions.DEFAULT.withLinkLayer(LinkLayer.INFINIBAND);
    assertThat(options.withPartitionKeys(Collections.nCopies(128, 1)).link().partitionKeys())
        .hasSize(128);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.withPartitionKeys(Collections.nCopies(129, 1)))
        .withMessageContaining("the partition key table has 1 to 128 keys of 16 bits");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.withPartitionKeys(List.of()))
        .withMessageContaining("1 to 128 keys");
    assertThatIllegalArgumentException().isThrownBy(() -> options.withPartitionKeys(List.of(-1)));
  }

  @Test
  void aDeviceListensAtOneAddressOfItsMachine() {
    assertThat(SoftNicOptions.parse("listen=::1").link().listen())
        .isEqualTo(InetAddress.ofLiteral("::1"));
    assertThat(SoftNicOptions.parse("listen=127.0.0.2").link().listen())
        .isEqualTo(InetAddress.ofLiteral("127.0.0.2"));
    for (String wrong : List.of("0.0.0.0", "::", "224.0.0.1", "ff02::1", "fe80::1")) {
      assertThatThrownBy(() -> SoftNicOptions.parse("listen=" + wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(
              "such as 127.0.0.2 or ::1, not a multicast, wildcard or link-local address");
    }
    for (String wrong : List.of("", "localhost", "127.0.0.2:4791")) {
      assertThatThrownBy(() -> SoftNicOptions.parse("listen=" + wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("it must be an IPv4 or IPv6 address of this machine");
    }
  }

  @Test
  void aNetworkExcludesInfiniBandAndVirtualTime() {
    assertThatThrownBy(() -> SoftNicOptions.parse("listen=127.0.0.2,link=infiniband"))
        .hasMessageContaining("an InfiniBand port has no UDP");
    assertThatThrownBy(() -> SoftNicOptions.parse("listen=127.0.0.2,timing=connectx5"))
        .hasMessageContaining("can't be combined with")
        .hasMessageContaining("listen");
  }

  @Test
  void aCaptureNeedsAFile() {
    assertThat(SoftNicOptions.parse("pcap=a.pcap").capture()).isEqualTo(Path.of("a.pcap"));
    assertThatThrownBy(() -> SoftNicOptions.parse("pcap"))
        .hasMessageContaining("pcap of device soft needs a file");
  }

  @Test
  void thePathMtuOfALoopbackAddressIsTheLargest() {
    assertThat(SoftNicOptions.parse("listen=127.0.0.2").link().networkMtu()).isEqualTo(4096);
    assertThat(SoftNicOptions.parse("listen=127.0.0.2,mtu=1024").link().networkMtu())
        .isEqualTo(1024);
  }

  @Test
  void aHairpinNeedsANetwork() {
    assertThat(SoftNicOptions.parse("hairpin=on,listen=127.0.0.2").link().hairpin()).isTrue();
    assertThatThrownBy(() -> SoftNicOptions.parse("hairpin=on"))
        .hasMessageContaining("add listen=ADDRESS");
  }
}
