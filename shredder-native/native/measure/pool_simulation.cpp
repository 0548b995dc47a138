// SPDX-License-Identifier: Apache-2.0
#include "measure/pool_simulation.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <queue>
#include <random>
#include <stdexcept>

#include "measure/rate_settings.h"
#include "pipeline/policy.h"

namespace shredder::tools {
namespace {

constexpr double kTick = 1e-6;  // seconds
constexpr std::size_t kPullAhead = 3;
constexpr std::size_t kSparrowBatches = 4;

/// A CPU or GPU: does its batches in the order in which they came to it.
class Server {
  public:
    Server(double rate, bool gpu, const PoolSettings& settings, std::size_t number)
        : rate_(rate), gpu_(gpu), settings_(settings), number_(number) {}

    bool gpu() const { return gpu_; }
    double freeAt() const { return freeAt_; }
    double rate() const { return rate_; }

    /// Takes a batch at that time; its start.
    double take(double now, double bytes) {
        double start = std::max(now, freeAt_);
        if (now > freeAt_) idleSeconds_ += now - freeAt_;
        freeAt_ = endOf(start, bytes);
        ends_.push(freeAt_);
        return start;
    }

    /// Is kept from its batches for so long.
    void hold(double now, double seconds) {
        if (now > freeAt_) idleSeconds_ += now - freeAt_;
        freeAt_ = std::max(now, freeAt_) + seconds;
    }

    /// Batches that are not over.
    std::size_t jobs(double now) {
        while (!ends_.empty() && ends_.front() <= now)
            ends_.pop();
        return ends_.size();
    }

    /// From when on it has fewer than so many.
    double placeAt(std::size_t jobs) const {
        if (ends_.size() < jobs) return 0;
        std::queue<double> ends = ends_;
        while (ends.size() > jobs)
            ends.pop();
        return ends.front();
    }

    DeviceLoad load(double now) {
        std::size_t queued = jobs(now);
        return {.gpu = gpu_,
                .queuedJobs = queued,
                .queuedBytes = static_cast<std::uint64_t>(std::max(0.0, freeAt_ - now) * rateAt(now)),
                .bytesPerSecond = rateAt(now)};
    }

    /// What of the time since this was asked last it had something to do, or others had it.
    double utilisation(double now) {
        double idle = idleSeconds_ + std::max(0.0, now - freeAt_);
        double window = now - askedAt_;
        double busy = window <= 0 ? 0 : 1 - (idle - idleThen_) / window;
        idleThen_ = idle;
        askedAt_ = now;
        double others = 1 - rateAt(now) / rate_;
        return std::clamp(others + (1 - others) * busy, 0.0, 1.0);
    }

    double rateAt(double now) const { return inBurst(now) ? rate_ * (1 - settings_.burstShare) : rate_; }

  private:
    bool inBurst(double now) const {
        if (!gpu_ || settings_.burstShare == 0 || number_ >= settings_.burstGpus) return false;
        double period = std::floor(now / settings_.burstPeriod);
        bool mine =
            !settings_.burstsInTurn || static_cast<std::size_t>(period) % settings_.burstGpus == number_;
        return mine && now - period * settings_.burstPeriod < settings_.burstSeconds;
    }

    /// The next moment when a burst may begin or end.
    double nextChange(double now) const {
        double period = std::floor(now / settings_.burstPeriod) * settings_.burstPeriod;
        double end = period + settings_.burstSeconds;
        return now < end ? end : period + settings_.burstPeriod;
    }

    double endOf(double start, double bytes) const {
        while (settings_.burstShare > 0 && gpu_) {
            double change = std::max(nextChange(start), start + kTick);
            double possible = (change - start) * rateAt(start);
            if (possible >= bytes) break;
            bytes -= possible;
            start = change;
        }
        return start + bytes / rateAt(start);
    }

    double rate_;
    bool gpu_;
    const PoolSettings& settings_;
    std::size_t number_;  // of the GPUs, or of the CPUs
    double freeAt_ = 0;
    std::queue<double> ends_;
    double idleSeconds_ = 0;
    double idleThen_ = 0;
    double askedAt_ = 0;
};

double quantile(std::vector<double>& values, double part) {
    if (values.empty()) return 0;
    auto place = static_cast<std::size_t>(part * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(place), values.end());
    return values[place];
}

double mean(const std::vector<double>& values) {
    return values.empty()
               ? 0
               : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::size_t gpuCount(const PoolSettings& settings) {
    return static_cast<std::size_t>(std::lround(settings.gpuShare * static_cast<double>(settings.nodes)));
}

class Simulation {
  public:
    explicit Simulation(const PoolSettings& settings)
        : settings_(settings), random_(settings.seed), gpus_(gpuCount(settings)) {
        for (std::size_t i = 0; i < gpus_; i++)
            servers_.emplace_back(settings.gpuRate, true, settings_, i);
        for (std::size_t i = 0; i < settings.nodes; i++) {
            servers_.emplace_back(settings.cpuRate, false, settings_, i);
        }
        outcome_.started.assign(servers_.size(),
                                std::vector<double>(static_cast<std::size_t>(settings.seconds) + 1));
    }

    PoolOutcome run() {
        auto found = choosers().find(settings_.policy);
        if (found == choosers().end())
            throw std::invalid_argument("policy '" + settings_.policy + "' is not known");
        prepare();
        double capacity =
            std::accumulate(servers_.begin(), servers_.end(), 0.0,
                            [](double sum, const Server& server) { return sum + server.rate(); });
        outcome_.offeredRate = settings_.load * capacity;
        std::size_t atOnce = settings_.policy == "sparrow" ? kSparrowBatches : 1;
        std::exponential_distribution<double> gap(outcome_.offeredRate / settings_.batchBytes /
                                                  static_cast<double>(atOnce));
        for (double now = gap(random_); now < settings_.seconds; now += gap(random_)) {
            takeNewsUntil(now);
            std::size_t node = random_() % settings_.nodes;
            for (std::size_t i = 0; i < atOnce; i++) {
                came_++;
                place(now, found->second(*this, now, node));
            }
        }
        return finish();
    }

    static std::vector<std::string> names() {
        std::vector<std::string> names;
        for (const auto& [name, chooser] : choosers()) {
            names.push_back(name);
        }
        return names;
    }

  private:
    using Chooser = std::function<std::size_t(Simulation&, double now, std::size_t node)>;

    static const std::map<std::string, Chooser>& choosers() {
        static const std::map<std::string, Chooser> all = {
            {"round-robin", &Simulation::byPolicy}, {"shortest-queue", &Simulation::byPolicy},
            {"lafs", &Simulation::byPolicy},        {"least-work", &Simulation::byPolicy},
            {"two-choices", &Simulation::byPolicy}, {"static", &Simulation::anyGpu},
            {"join-idle-queue", &Simulation::idle}, {"pull", &Simulation::whoeverAsks},
            {"sparrow", &Simulation::soonestProbed}};
        return all;
    }

    /// One scheduler a node, each with what it knows.
    void prepare() {
        auto kind = schedulings().find(settings_.policy);
        if (kind == schedulings().end()) return;
        for (std::size_t i = 0; i < settings_.nodes; i++) {
            policies_.emplace_back(kind->second, settings_.seed * 7919 + static_cast<std::uint32_t>(i) + 1);
        }
        if (kind->second == SHREDDER_LAFS)
            given_.assign(settings_.nodes, std::vector<float>(servers_.size()));
    }

    /// LAFS: every node tells every other one, and takes in what they tell.
    void takeNewsUntil(double now) {
        if (given_.empty()) return;
        for (; nextNews_ <= now; nextNews_ += settings_.newsSeconds) {
            news_.clear();
            for (Server& server : servers_) {
                double used = server.utilisation(nextNews_);
                news_.push_back(lafsIntake(server.rate(), settings_.newsSeconds, settings_.batchBytes, used));
            }
            outcome_.intakes.push_back(news_);
            for (auto& given : given_)
                std::fill(given.begin(), given.end(), 0.0F);
            double cost = settings_.newsCost * static_cast<double>(settings_.nodes - 1);
            for (std::size_t i = gpus_; i < servers_.size(); i++)
                servers_[i].hold(nextNews_, cost);
        }
    }

    std::size_t byPolicy(double now, std::size_t node) {
        auto loadOf = [&](std::size_t i) {
            DeviceLoad load = given_.empty() ? servers_[i].load(now) : DeviceLoad{.gpu = servers_[i].gpu()};
            if (!given_.empty()) load.intake = news_[i] - static_cast<double>(given_[node][i]);
            return load;
        };
        std::size_t own = node < gpus_ ? node : gpus_ + node;
        std::size_t chosen = policies_[node].choose(servers_.size(), loadOf,
                                                    static_cast<std::uint64_t>(settings_.batchBytes), own);
        if (!given_.empty()) given_[node][chosen]++;
        return chosen;
    }

    std::size_t anyGpu(double, std::size_t node) { return node < gpus_ ? node : random_() % gpus_; }

    /// A server that has nothing to do puts itself on the list of any scheduler; one without a list takes
    /// any.
    std::size_t idle(double now, std::size_t node) {
        if (idleLists_.empty()) {
            idleLists_.resize(settings_.nodes);
            for (std::size_t i = 0; i < servers_.size(); i++)
                becomesIdle_.emplace(0.0, i);
        }
        while (!becomesIdle_.empty() && becomesIdle_.top().first <= now) {
            auto [at, server] = becomesIdle_.top();
            becomesIdle_.pop();
            if (servers_[server].freeAt() <= at) idleLists_[random_() % settings_.nodes].push_back(server);
        }
        std::vector<std::size_t>& list = idleLists_[node];
        std::size_t chosen = random_() % servers_.size();
        if (!list.empty()) {
            chosen = list.back();
            list.pop_back();
        }
        return chosen;
    }

    std::size_t whoeverAsks(double, std::size_t) {
        if (places_.empty()) {
            for (std::size_t i = 0; i < servers_.size(); i++)
                places_.emplace(0.0, i);
        }
        std::size_t chosen = places_.top().second;
        earliest_ = places_.top().first;
        places_.pop();
        return chosen;
    }

    std::size_t soonestProbed(double now, std::size_t) {
        if (probed_.empty()) {
            for (std::size_t i = 0; i < 2 * kSparrowBatches; i++)
                probed_.push_back(random_() % servers_.size());
            left_ = kSparrowBatches;
        }
        auto soonest = std::min_element(probed_.begin(), probed_.end(), [&](std::size_t a, std::size_t b) {
            return std::max(now, servers_[a].freeAt()) < std::max(now, servers_[b].freeAt());
        });
        std::size_t chosen = *soonest;
        if (--left_ == 0) probed_.clear();
        return chosen;
    }

    void place(double now, std::size_t chosen) {
        Server& server = servers_[chosen];
        double start = server.take(std::max(now, earliest_), settings_.batchBytes);
        earliest_ = 0;
        double end = server.freeAt();
        server.jobs(now);
        if (!places_.empty() || settings_.policy == "pull")
            places_.emplace(server.placeAt(kPullAhead), chosen);
        if (settings_.policy == "join-idle-queue") becomesIdle_.emplace(end, chosen);
        if (start < settings_.seconds) {
            waits_.push_back(start - now);
            latencies_.push_back(end - now);
            outcome_.started[chosen][static_cast<std::size_t>(start)]++;
        }
        if (end < settings_.seconds) done_++;
    }

    PoolOutcome finish() {
        outcome_.served = came_ == 0 ? 1 : static_cast<double>(done_) / static_cast<double>(came_);
        outcome_.servedRate = static_cast<double>(done_) * settings_.batchBytes / settings_.seconds;
        outcome_.meanWait = mean(waits_);
        outcome_.waitP50 = quantile(waits_, 0.5);
        outcome_.waitP99 = quantile(waits_, 0.99);
        outcome_.meanLatency = mean(latencies_);
        outcome_.latencyP99 = quantile(latencies_, 0.99);
        return outcome_;
    }

    using Moment = std::pair<double, std::size_t>;
    using Moments = std::priority_queue<Moment, std::vector<Moment>, std::greater<>>;

    const PoolSettings settings_;
    std::mt19937 random_;
    std::size_t gpus_;
    std::vector<Server> servers_;  // GPUs, then CPUs
    std::vector<Policy> policies_;
    std::vector<double> news_;
    std::vector<std::vector<float>> given_;  // LAFS: by each scheduler, to each server since the last news
    double nextNews_ = 0;
    std::vector<std::vector<std::size_t>> idleLists_;
    Moments becomesIdle_;
    Moments places_;       // pull: when each server asks for its next batch
    double earliest_ = 0;  // pull: when the server that asked first did
    std::vector<std::size_t> probed_;
    std::size_t left_ = 0;
    std::uint64_t came_ = 0;
    std::uint64_t done_ = 0;
    std::vector<double> waits_;
    std::vector<double> latencies_;
    PoolOutcome outcome_;
};

void require(bool right, const std::string& problem) {
    if (!right) throw std::invalid_argument(problem);
}

}  // namespace

std::vector<std::string> poolPolicies() {
    return Simulation::names();
}

PoolOutcome simulatePool(const PoolSettings& settings) {
    require(settings.nodes >= 1 && settings.nodes <= 10'000, "nodes: 1 to 10000");
    require(settings.gpuShare >= 0 && settings.gpuShare <= 1, "gpu-share: 0 to 1");
    require(settings.load > 0 && settings.load < 10, "load: above 0, below 10");
    require(settings.seconds > 0 && settings.seconds <= 1e6, "seconds: above 0, at most 1000000");
    require(settings.batchBytes >= 1 && settings.cpuRate > 0 && settings.gpuRate > 0,
            "batch and rates: above 0");
    require(!settings.burstsInTurn || settings.burstGpus <= settings.nodes,
            "bursts-in-turn needs burst-gpus");
    require(settings.burstSeconds >= 0 && settings.burstPeriod > 0,
            "burst-seconds and burst-period: above 0");
    require(settings.burstShare >= 0 && settings.burstShare < 1, "burst-share: 0 to below 1");
    require(settings.newsSeconds > 0 && settings.newsCost >= 0, "news: above 0");
    require(settings.policy != "static" || gpuCount(settings) > 0, "static needs GPUs");
    return Simulation(settings).run();
}

}  // namespace shredder::tools
