import dev.bluebell.hca.HcaProvider;
import dev.bluebell.softnic.SoftNicProvider;

/** The software ConnectX. */
module dev.bluebell.softnic {
  requires dev.bluebell.roce;
  requires jdk.net;
  requires transitive dev.bluebell.hca;
  requires static org.jspecify;

  exports dev.bluebell.softnic;
  exports dev.bluebell.softnic.option;

  provides HcaProvider with
      SoftNicProvider;
}
