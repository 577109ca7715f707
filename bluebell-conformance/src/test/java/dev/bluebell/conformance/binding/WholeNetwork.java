package dev.bluebell.conformance.binding;

import dev.bluebell.conformance.BenchExtension;
import dev.bluebell.conformance.ExpectsRefusal;
import dev.bluebell.conformance.TrafficTest;
import org.junit.platform.suite.api.ConfigurationParameter;
import org.junit.platform.suite.api.ExcludeClassNamePatterns;
import org.junit.platform.suite.api.ExcludePackages;
import org.junit.platform.suite.api.ExcludeTags;
import org.junit.platform.suite.api.IncludeEngines;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/**
 * The suite on a device whose packets take the network; run on request, with {@code
 * -Dtest=WholeNetwork}. Left out are five classes in which some tests fail there: most of these
 * expect the words of a responder, which a NAK does not have, or all fields of the IP header, which
 * a UDP socket does not show.
 */
@Suite
@IncludeEngines("junit-jupiter")
@SelectPackages("dev.bluebell.conformance")
@ExcludePackages({"dev.bluebell.conformance.binding", "dev.bluebell.conformance.vectors"})
@ExcludeClassNamePatterns(
    ".*\\.(Retry|StridingReceiveQueue|Window|DatagramQueuePair|OperationTable)Test")
@ExcludeTags({ExpectsRefusal.TAG, TrafficTest.TAG})
@ConfigurationParameter(key = BenchExtension.DEVICE, value = "network")
class WholeNetwork {}
