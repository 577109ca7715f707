package dev.bluebell.cli.sources;

import picocli.CommandLine.Command;

/** {@code ./bluebell dist}: makes a distribution. */
@Command(
    name = "dist",
    header = "Make a tar file and a Debian package that need no Java.",
    customSynopsis = "./bluebell dist [FOLDER]",
    description = {
      "Makes bluebell-VERSION-linux-MACHINE.tar.gz, which contains a Java runtime, and a Debian"
          + " package if dpkg-deb is installed. The files are written to FOLDER, by default"
          + " target/distribution in the clone.",
      "",
      "The target needs neither JDK, Maven nor gcc, but at least the build machine's glibc.",
      "",
      "The command works in a clone of the sources only."
    })
public final class DistCommand extends SourcesCommand {}
