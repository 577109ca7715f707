package dev.bluebell.conformance.binding;

import dev.bluebell.conformance.BenchExtension;
import dev.bluebell.conformance.ExpectsRefusal;
import org.junit.platform.suite.api.ConfigurationParameter;
import org.junit.platform.suite.api.ExcludeTags;
import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.IncludeEngines;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/**
 * A part of the suite on a device whose packets take the network, as RoCEv2 over UDP: what moves
 * data. {@link WholeNetwork} has the rest.
 */
@Suite
@IncludeEngines("junit-jupiter")
@SelectPackages("dev.bluebell.conformance")
@IncludeClassNamePatterns(
    ".*\\.(Model|DataMovement|Atomic|UnreliableQueuePair|Fence|ReceiverNotReady|OutstandingReads|SegmentSize)Test")
@ExcludeTags(ExpectsRefusal.TAG)
@ConfigurationParameter(key = BenchExtension.DEVICE, value = "network")
class NetworkTest {}
